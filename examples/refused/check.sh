# check.sh - what do compositions do that the linker refuses? (functions.sh says how it is run) Each was forced through with
# --force-unsafe; it counts as passed when the GPU shows that the refusal was right: a hang, a fault, or wrong
# values.
if [ "$PIPELINK_ARCH" = sm_90a ]; then
  # run_pair KERNEL GRID ROWS: what it prints in KERNEL.txt, how many values were wrong in KERNEL.bin
  run_pair() {
    local values=f32:$((8192 * 1024))
    timeout --kill-after=5 60 pipelink run refused.$1.cubin --grid=$2 --timeout=4 --set load.rows=$3 --set use.rows=$3 \
      --set load.input=random:$values:1 --set use.expected=random:$values:1 --set use.output=nan:$values \
      --set use.wrong=zeros:u32:1 --out use.wrong=$PIPELINK_RESULTS/$1.bin > $PIPELINK_RESULTS/$1.txt 2>&1 < /dev/null
  }
  wrong() { od -An -tu4 $PIPELINK_RESULTS/$1.bin | tr -d ' '; }
  # refused FAULT CODE [GRID [ROWS]]
  refused() {
    if ! run_pair $1 ${3:-132} ${4:-4096}; then
      row pass "$2: $1" "$(sed -n 's/^.*error: //p' $PIPELINK_RESULTS/$1.txt | head -n 1 | cut -c1-240)"
    elif [ "$(wrong $1)" -gt 0 ]; then
      row pass "$2: $1" "$(wrong $1) of $((${4:-4096} * 1024)) values were wrong"
    else
      row FAIL "$2: $1" "nothing was seen"
    fi
  }
  # right KERNEL [GRID [ROWS]]
  right() {
    if run_pair $1 ${2:-132} ${3:-4096} && [ "$(wrong $1)" -eq 0 ]; then
      row pass "$1" "right"
    else
      row FAIL "$1" "$(tail -n 1 $PIPELINK_RESULTS/$1.txt | cut -c1-240)"
    fi
  }
  right right
  right right 792 8000000
  right right_keys_values 1
  for tool in memcheck racecheck; do
    $tool "right: $tool" pipelink run refused.right.cubin --grid=132 --timeout=200 --set load.rows=4096 --set use.rows=4096 \
      --set load.input=random:f32:8388608:1 --set use.expected=random:f32:8388608:1 --set use.output=nan:f32:8388608 \
      --set use.wrong=zeros:u32:1
  done
  refused half_slots L-HANDLE
  refused named L-PROTO
  refused wrong_phase L-PHASE
  refused too_many_bytes L-TX
  refused one_releases L-ARRIVE
  refused keep_keys L-ORDER 1
  refused leaves_early L-EXIT
  refused early_release L-RACE 792 8000000
  refused missing_fence L-PROXY 792 8000000
  refused cta_barrier L-SYNCALL
  refused literal_barrier L-BARCOUNT
  refused own_registers L-SETREG
  # Two CTAs of 1024 threads fit an SM: 264 are resident.
  check "grid: 264 CTAs meet" pipelink run refused.meet.cubin --grid=264 --timeout=4 --set meet.arrived=zeros:u32:1
  if pipelink run refused.meet.cubin --grid=1056 --timeout=4 --set meet.arrived=zeros:u32:1 \
    > $PIPELINK_RESULTS/meet.txt 2>&1; then row FAIL "grid: 1056 CTAs" "were launched"; else
    row pass "grid: 1056 CTAs" "$(sed -n 's/^.*error: //p' $PIPELINK_RESULTS/meet.txt | head -n 1 | cut -c1-240)"
  fi
  if timeout --kill-after=5 60 pipelink run refused.meet_unsaid.cubin --grid=1056 --timeout=4 \
    --set meet.arrived=zeros:u32:1 > $PIPELINK_RESULTS/meet_unsaid.txt 2>&1; then
    row FAIL "grid: 1056 CTAs, unsaid" "ended"
  else
    row pass "grid: 1056 CTAs, unsaid" "$(sed -n 's/^.*error: //p' $PIPELINK_RESULTS/meet_unsaid.txt | head -n 1 | cut -c1-240)"
  fi
  right right # and the GPU is as usable as before
else
  skip "refused compositions" "these kernels are for sm_90a, this GPU is $PIPELINK_ARCH"
fi
