#!/bin/bash
# run.sh - checks and times everything in this bundle on this machine's GPU and ends with one table.
#
# usage: run.sh [EXAMPLE...]     all examples otherwise
#
# Exit status 1 when anything failed. Environment: PIPELINK_RESULTS, the folder for logs and numbers
# (./pipelink-results); PIPELINK_STEP_SECONDS, the time limit of one step (300); PIPELINK_ARCH, this GPU's name when
# nvidia-smi cannot tell it.
set -u
bundle=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
export PIPELINK_RESULTS=${PIPELINK_RESULTS:-$PWD/pipelink-results}
mkdir -p "$PIPELINK_RESULTS" && PIPELINK_RESULTS=$(cd "$PIPELINK_RESULTS" && pwd) || exit 1
export PIPELINK_ROWS=$PIPELINK_RESULTS/rows.tsv PIPELINK_EXAMPLE=machine
export PATH=$bundle/bin:$PATH LD_LIBRARY_PATH=$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
: > "$PIPELINK_ROWS" || exit 1
. "$bundle/functions.sh"

# ---- the machine ----

# sm_90a for compute capability 9.0. Where there are architecture-specific features, the examples use them.
find_arch() {
  local capability
  capability=$(nvidia-smi --id=0 --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -n 1 | tr -d '. ')
  case $capability in
    90 | 1[0-9][0-9]) printf 'sm_%sa' "$capability" ;;
    [0-9]*) printf 'sm_%s' "$capability" ;;
  esac
}
PIPELINK_ARCH=${PIPELINK_ARCH:-$(find_arch)}
export PIPELINK_ARCH
gpu=$(nvidia-smi --id=0 --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null)
if [ -z "$PIPELINK_ARCH" ]; then
  row FAIL "GPU" "nvidia-smi finds none; set PIPELINK_ARCH, e.g. to sm_90a, if there is one"
  PIPELINK_ARCH=sm_90a
else
  row pass "GPU" "$PIPELINK_ARCH: ${gpu:-as PIPELINK_ARCH says}"
fi
check "pipelink starts" pipelink --version

# ---- the examples ----

shopt -s nullglob
if [ $# -eq 0 ]; then
  set -- "$bundle"/examples/*/
fi
[ $# -gt 0 ] || row FAIL "examples" "there are none in $bundle/examples"
for folder in "$@"; do
  PIPELINK_EXAMPLE=$(basename "$folder")
  folder=$bundle/examples/$PIPELINK_EXAMPLE
  if [ ! -f "$folder/check.sh" ]; then
    row FAIL "check.sh" "no such example"
    continue
  fi
  before=$(wc -l < "$PIPELINK_ROWS")
  # A subshell: whatever a check.sh does to its shell ends with it.
  (cd "$folder" && . ./check.sh)
  status=$?
  if [ $status -ne 0 ]; then
    row FAIL "check.sh" "exit status $status"
  elif [ "$(wc -l < "$PIPELINK_ROWS")" -eq "$before" ]; then
    row FAIL "check.sh" "checks nothing"
  fi
done

# ---- the table ----

awk -F '\t' '
  { example[NR] = $1; status[NR] = $2; label[NR] = $3; detail[NR] = $4; count[$2]++
    if (length($1) > wide1) wide1 = length($1)
    if (length($3) > wide3) wide3 = length($3) }
  END {
    printf "\n%-7s  %-" wide1 "s  %-" wide3 "s  %s\n", "", "example", "step", "result"
    for (i = 1; i <= NR; i++)
      printf "%-7s  %-" wide1 "s  %-" wide3 "s  %s\n", status[i], example[i], label[i], detail[i]
    printf "\n%d passed, %d failed, %d skipped, %d timed\n", count["pass"], count["FAIL"], count["skipped"], count["time"]
    exit count["FAIL"] > 0
  }' "$PIPELINK_ROWS"
