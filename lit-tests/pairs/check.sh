# check.sh - does every pair of the corpus compute what it should? (functions.sh says how it is run)
if [ "$PIPELINK_ARCH" = sm_90a ]; then
  for arguments in *.run; do
    check "${arguments%.run}" bash ./pair.sh "${arguments%.run}"
  done
else
  skip "pairs" "they are linked for sm_90a, this GPU is $PIPELINK_ARCH"
fi
