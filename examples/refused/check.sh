# check.sh - what do compositions do that the linker refuses? (functions.sh says how it is run) Each was forced through with
# --force-unsafe; it counts as passed when the GPU shows that the refusal was right: a hang, a fault, or other values than
# those of the right composition.
if [ "$PIPELINK_ARCH" = sm_90a ]; then
  rows=4096
  # run_pair KERNEL GRID: 0 and $PIPELINK_RESULTS/KERNEL.bin, or the error in KERNEL.txt
  run_pair() {
    timeout --kill-after=5 60 pipelink run $1.cubin --grid=$2 --timeout=2 --set load.rows=$rows --set use.rows=$rows \
      --set load.input=random:f32:$((rows * 1024)):1 --out use.output=$PIPELINK_RESULTS/$1.bin:f32:$((rows * 1024)) \
      > $PIPELINK_RESULTS/$1.txt 2>&1 < /dev/null
  }
  # refused FAULT CODE [RIGHT [GRID [TIMES]]]: once, or until it shows
  refused() {
    local right=${3:-right} grid=${4:-132} differ=0 try
    for ((try = 1; try <= ${5:-1}; try++)); do
      if ! run_pair $1 $grid; then
        row pass "$2: $1" "$(sed -n 's/^.*error: [^ ]*: //p' $PIPELINK_RESULTS/$1.txt | head -n 1 | cut -c1-240)"
        return
      fi
      differ=$(cmp -l $PIPELINK_RESULTS/$right.bin $PIPELINK_RESULTS/$1.bin | wc -l)
      if [ $differ -gt 0 ]; then
        row pass "$2: $1" "$differ of $((rows * 4096)) bytes of the result are others, at attempt $try"
        return
      fi
    done
    row FAIL "$2: $1" "nothing was seen in ${5:-1} runs"
  }
  # right KERNEL GRID
  right() {
    if run_pair $1 $2; then row pass "$1" "ends"; else row FAIL "$1" "$(tail -n 1 $PIPELINK_RESULTS/$1.txt)"; fi
  }
  right right 132
  right right_keys_values 1
  refused half_slots L-HANDLE
  refused named L-PROTO
  refused wrong_phase L-PHASE
  refused too_many_bytes L-TX
  refused one_releases L-ARRIVE
  refused keep_keys L-ORDER right_keys_values 1
  refused leaves_early L-EXIT
  refused early_release L-RACE
  refused missing_fence L-PROXY right 1056 200
  refused cta_barrier L-SYNCALL
  refused literal_barrier L-BARCOUNT
  refused own_registers L-SETREG
  refused absolute_thread L-TID
  right right 132 # and the GPU is as usable as before
  for kernel in right right_keys_values; do rm -f $PIPELINK_RESULTS/$kernel.bin; done
else
  skip "refused compositions" "these kernels are for sm_90a, this GPU is $PIPELINK_ARCH"
fi
