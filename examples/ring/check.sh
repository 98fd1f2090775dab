# check.sh - is every build of the kernel right, clean and as fast as its unit build? (functions.sh says how it is run)
for codegen in nvvm nvptx; do
  kernel=ring.$PIPELINK_ARCH.$codegen
  check "$codegen, linked" ./ring $kernel.cubin
  check "$codegen, unit build" ./ring $kernel.unit.cubin $kernel.launch.json
  memcheck "$codegen, linked: memory" ./ring $kernel.cubin
  racecheck "$codegen, linked: races" ./ring $kernel.cubin
done
check "nvcc, unit build" ./ring ring.$PIPELINK_ARCH.nvcc.unit.cubin ring.$PIPELINK_ARCH.nvvm.launch.json

# 64 Ki rows are 512 MiB read and written: more than any L2 cache holds.
rows=65536
for codegen in nvvm nvptx; do
  kernel=ring.$PIPELINK_ARCH.$codegen
  bench "$codegen" $kernel.cubin $kernel.unit.cubin ring.$PIPELINK_ARCH.nvcc.unit.cubin --launch=$kernel.launch.json \
    --grid=132 --check --set load.rows=$rows --set normalise.rows=$rows \
    --set load.input=random:f32:$((rows * 1024)) --set normalise.output=nan:f32:$((rows * 1024)) \
    --set normalise.epsilon=1e-5
done
