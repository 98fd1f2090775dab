# check.sh - is every build of the kernel right, clean and as fast as its unit build? (functions.sh says how it is run)
for codegen in nvvm nvptx; do
  kernel=hello.$PIPELINK_ARCH.$codegen
  check "$codegen, linked" ./hello-callable $kernel.cubin
  check "$codegen, unit build" ./hello-callable $kernel.unit.cubin $kernel.launch.json
  memcheck "$codegen, linked: memory" ./hello-callable $kernel.cubin
done
check "nvcc, unit build" ./hello-callable hello.$PIPELINK_ARCH.nvcc.unit.cubin hello.$PIPELINK_ARCH.nvvm.launch.json

# 64 Mi values are 512 MiB read and written: more than any L2 cache holds.
count=67108864
for codegen in nvvm nvptx; do
  kernel=hello.$PIPELINK_ARCH.$codegen
  bench "$codegen" $kernel.cubin $kernel.unit.cubin hello.$PIPELINK_ARCH.nvcc.unit.cubin --launch=$kernel.launch.json \
    --grid=2112 --check --set caller.count=$count --set caller.input=random:f32:$count --set caller.output=nan:f32:$count
done
