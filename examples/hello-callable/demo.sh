#!/usr/bin/env bash
# demo.sh - two packages, compiled apart, become one kernel with nothing left of the seam. `make demo` runs it.
#
#   examples/hello-callable/demo.sh BUILD_FOLDER
#
# Needs no GPU. Files go to BUILD_FOLDER/demo.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
profiles=(sm_90a sm_100a sm_103a sm_120a sm_121a)
all_profiles=$(IFS=, && echo "${profiles[*]}")

rm -rf "$build/demo"
mkdir -p "$build/demo"
cd "$build/demo"
export PATH="$build/bin:$PATH"

heading() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || heading() { printf '\n%s\n' "$*"; }

run() { # prints the command with short paths, then runs it
  local words="$*"
  echo "\$ ${words//$here\//}"
  "$@"
}

heading "Two owners each compile their stage and pack it, for five GPUs."
run pipelink pack "$here/scale.cu" --arch="$all_profiles" -o scale.plink
run pipelink pack "$here/caller.cu" --arch="$all_profiles" -o caller.plink

heading "A third person links the packages. What they provide and need is in them:"
run pipelink inspect caller.plink

heading "The linked kernel, and as unit build the same sources in one file:"
link() { # link RUN PROFILE CODEGEN: the linked kernel and the unit build; RUN is `run` or nothing
  local name=$2.$3
  $1 ld.pipelink --arch="$2" --codegen="$3" caller.plink scale.plink -o "hello.$name.cubin" -Map="hello.$name.map"
  $1 ld.pipelink --arch="$2" --codegen="$3" --unit="unit.$2.bc" -o "unit.$name.cubin"
  grep -q "\"codegen\": \"$3\"" "hello.$name.launch.json" || {
    echo "demo.sh: hello.$name.cubin was not made by $3" >&2
    exit 1
  }
}
run pipelink cc --unit --arch="${profiles[0]}" "$here/unit.cu" -o "unit.${profiles[0]}.bc"
link run "${profiles[0]}" nvvm
link run "${profiles[0]}" nvptx
for profile in "${profiles[@]:1}"; do
  echo "and the same for $profile"
  pipelink cc --unit --arch="$profile" "$here/unit.cu" -o "unit.$profile.bc"
  link "" "$profile" nvvm >/dev/null
  link "" "$profile" nvptx >/dev/null
done

heading "The map of hello.${profiles[0]}.nvvm.cubin:"
cat "hello.${profiles[0]}.nvvm.map"

heading "Machine code, linked beside unit build:"
pairs=()
for profile in "${profiles[@]}"; do
  for codegen in nvvm nvptx; do
    pairs+=("$(printf '%-8s %-6s' "$profile" "$codegen"):hello.$profile.$codegen.cubin:unit.$profile.$codegen.cubin")
  done
done
printf '%-16s%5s %6s\n' "" linked unit
python3 "$here/../../lit-tests/tools/sass_compare.py" "${pairs[@]}"
