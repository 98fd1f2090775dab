# check.sh - is every build of the GEMM right and clean, and how fast is it beside cuBLAS? (functions.sh says how it is run)
if [ "$PIPELINK_ARCH" = sm_90a ]; then
  linked=(gemm.sm_90a.nvvm.cubin gemm.sm_90a.nvptx.cubin)
  units=(gemm.sm_90a.nvvm.unit.cubin gemm.sm_90a.nvptx.unit.cubin gemm.sm_90a.nvcc.unit.cubin)
  shallow=(gemm.sm_90a.{nvvm,nvptx}.shallow.cubin)
  bias_silu=(gemm.sm_90a.{nvvm,nvptx}.bias_silu.cubin)
  borrowed=--launch=gemm.sm_90a.nvvm.launch.json
  ragged=(--shape=8,8,8 --shape=65,264,8 --shape=128,256,64 --shape=1000,1160,328 --shape=3000,2504,1096)

  check "shapes with edges" ./gemm-bench --no-timing "${ragged[@]}" $borrowed "${linked[@]}" "${units[@]}"
  check "99 KB of shared memory" ./gemm-bench --no-timing "${ragged[@]}" --shape=4096,4096,4096 "${shallow[@]}"
  check "bias and SiLU" ./gemm-bench --no-timing --epilogue=bias_silu "${ragged[@]}" --shape=4096,4096,4096 "${bias_silu[@]}"
  # Host code is not needed, for TMA either: the load stage declares its tensor maps, the command line says the shapes.
  bench "from the command line" gemm.sm_90a.nvvm.{cubin,unit.cubin} $borrowed --grid=132 --check \
    --set load.a=tensor:bf16:3000x1096 --set load.b=tensor:bf16:2504x1096 --set mma.c=nan:bf16:7512000 --set mma.bias=null \
    --set load.m=3000 --set load.n=2504 --set load.k=1096 --set mma.m=3000 --set mma.n=2504 --set mma.k=1096
  for tool in memcheck racecheck; do
    $tool "$tool" ./gemm-bench --no-timing --shape=392,520,328 "${linked[@]}" "${shallow[@]}"
    $tool "$tool, bias and SiLU" ./gemm-bench --no-timing --epilogue=bias_silu --shape=392,520,328 "${bias_silu[@]}"
  done

  check "speed" ./gemm-bench --shape=3000,2504,1096 --shape=2048,2048,2048 --shape=4096,4096,4096 \
    --shape=8192,8192,8192 --shape=16384,16384,16384 $borrowed "${linked[@]}" "${units[@]}" "${shallow[@]}"
  check "speed, bias and SiLU" ./gemm-bench --epilogue=bias_silu --shape=4096,4096,4096 --shape=8192,8192,8192 \
    --launch=gemm.sm_90a.nvvm.bias_silu.launch.json "${bias_silu[@]}" gemm.sm_90a.nvcc.bias_silu.unit.cubin
  # With nvcc's unit build as the last one its ratio stands twice: once is enough.
  for step in "speed" "speed, bias and SiLU"; do
    while read -r shape build milliseconds teraflops ratio nvcc _; do
      [ "$step" = speed ] && base="$ratio of cuBLAS   " || base=
      row time "$shape: $build" "$milliseconds ms   $teraflops TFLOP/s   $base$nvcc of nvcc's unit build"
    done < <(grep '^[0-9]' "$(log_name "$step").log")
  done
else
  skip "GEMM" "these packages are for sm_90a, this GPU is $PIPELINK_ARCH"
fi
