// caller.cu - the caller: a package with a role (what its warps run), its parameters, and one function it lacks.
#include <pipelink/stage.h>

PIPELINK_STAGE("org.hello.caller", "1.0.0");

struct [[pipelink::params]] Params {
  float *output;
  const float *input;
  size_t count;
};

[[pipelink::import("scale")]] __device__ float scale(float x);

// Four warps of every CTA; together the whole grid walks over the input.
[[pipelink::role("call", 4)]] __device__ void call(const Params &p) {
  for (size_t i = pipelink::grid_thread(); i < p.count; i += pipelink::grid_threads())
    p.output[i] = scale(p.input[i]);
}
