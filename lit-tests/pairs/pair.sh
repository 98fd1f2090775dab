#!/bin/bash
# pair.sh NAME - runs one pair of the corpus on the GPU and compares what it leaves in memory, bit for bit.
#
# In the folder that `generate.py --bundle` has written; `pipelink` is on the PATH.
name=$1
outputs=$(mktemp -d) && trap 'rm -rf "$outputs"' EXIT || exit 1
mapfile -t arguments < "$name.run" && [ -s "$name.sha256" ] || exit 1
sums=$PWD/$name.sha256
pipelink run "$name.cubin" "${arguments[@]/@/$outputs/}" && cd "$outputs" && sha256sum --check --strict "$sums"
