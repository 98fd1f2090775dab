# check.sh - is the linked GEMM right, and how fast is it beside nvcc's build? (functions.sh says how it is run)
if [ "$PIPELINK_ARCH" = sm_90a ]; then
  check "smallest shape with edges" ./cutlass-gemm --shape=8,8,8 gemm.nvvm.cubin gemm.nvptx.cubin
  memcheck "memory" ./cutlass-gemm --shape=1000,1160,328 gemm.nvvm.cubin gemm.nvptx.cubin
  check "shapes" ./cutlass-gemm gemm.nvvm.cubin gemm.nvptx.cubin
  while read -r shape build milliseconds teraflops ratio _; do
    row time "$shape: $build" "$milliseconds ms   $teraflops TFLOP/s   $ratio of nvcc's speed"
  done < <(grep '^[0-9]' "$(log_name shapes).log")
else
  skip "GEMM" "its instructions exist on sm_90a only, this GPU is $PIPELINK_ARCH"
fi
