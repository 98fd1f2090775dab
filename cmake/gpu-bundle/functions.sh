# functions.sh - what an example's check.sh may use. run.sh sources it before check.sh, in the example's own folder.
#
#   check LABEL COMMAND...     the command must succeed
#   memcheck LABEL COMMAND...  and must do so under compute-sanitizer's memcheck; skipped where there is none
#   racecheck LABEL COMMAND... the same with its racecheck: no hazards in shared memory
#   bench LABEL ARGUMENT...    `pipelink bench ARGUMENT...`: one line of the table per kernel
#   skip LABEL WHY             a line for what cannot be done here
#   $PIPELINK_ARCH             this GPU's name, e.g. sm_90a
#
# A step that fails gets its line and the next one goes on. Each has a time limit, so that a hanging kernel is one
# failure, not the end.

# row STATUS LABEL DETAIL: one line of the table.
row() { printf '%s\t%s\t%s\t%s\n' "$PIPELINK_EXAMPLE" "$1" "$2" "$3" >> "$PIPELINK_ROWS"; }

# A file name for a step's log.
log_name() { printf '%s/%s.%s' "$PIPELINK_RESULTS" "$PIPELINK_EXAMPLE" "$(printf %s "$1" | tr -c 'A-Za-z0-9_.-' '_')"; }

# run_step LABEL COMMAND...: runs it with the time limit and keeps its output; $detail is its last line, or what became of it.
run_step() {
  local label=$1 log status
  shift
  log=$(log_name "$label").log
  printf '\n--- %s: %s\n$ %s\n' "$PIPELINK_EXAMPLE" "$label" "$*"
  timeout --kill-after=10 "${PIPELINK_STEP_SECONDS:-300}" "$@" > "$log" 2>&1 < /dev/null
  status=$?
  cat "$log"
  detail=$(grep -v '^[[:space:]]*$' "$log" | tail -n 1 | cut -c1-100)
  case $status in
    124 | 137) detail="stopped after ${PIPELINK_STEP_SECONDS:-300} s" ;;
    0) ;;
    *) detail="exit status $status: $detail" ;;
  esac
  return $status
}

check() {
  local detail
  if run_step "$@"; then row pass "$1" "$detail"; else row FAIL "$1" "$detail"; fi
}

memcheck() { sanitize memcheck "$@"; }
racecheck() { sanitize racecheck "$@"; }

# sanitize TOOL LABEL COMMAND...
sanitize() {
  local tool=$1 label=$2 detail sanitizer
  shift 2
  sanitizer=$(PATH="$PATH:/usr/local/cuda/bin" type -P compute-sanitizer)
  if [ -z "$sanitizer" ]; then
    skip "$label" "no compute-sanitizer"
  elif run_step "$label" "$sanitizer" "--tool=$tool" --error-exitcode=99 "$@"; then
    row pass "$label" "$detail"
  else
    row FAIL "$label" "$detail"
  fi
}

bench() {
  local label=$1 detail base
  shift
  base=$(log_name "$label")
  if ! run_step "$label" pipelink bench "--json=$base.json" "$@"; then
    row FAIL "$label" "$detail"
    return
  fi
  # A kernel's line: NAME MS Q1 - Q3 RATIO [LOW - HIGH VERDICT...]
  while read -r kernel time _ _ _ ratio low _ high verdict; do
    row time "$label: $kernel" "$time ms   ratio $ratio${low:+ ($low - $high) $verdict}"
  done < <(tail -n +3 "$base.log")
}

skip() { row skipped "$1" "$2"; }
