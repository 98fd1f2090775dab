// scale.cu - the provider: a package that exports one function for others to call.
#include <pipelink/stage.h>

PIPELINK_STAGE("org.hello.scale", "1.0.0");

// Soft clip: about 1.5 x near zero, bending smoothly into -1 and 1, which it never passes.
[[pipelink::export("scale")]] __device__ float scale(float x) {
  const float inside = fminf(fmaxf(x, -1.0f), 1.0f);
  return inside * (1.5f - 0.5f * inside * inside);
}
