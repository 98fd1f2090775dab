// timing.h - several ways to do the same work, timed in turn.
#ifndef GEMM_TIMING_H
#define GEMM_TIMING_H

#include "device.h"

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

// One way to do it, and what was seen of it.
struct Variant {
  std::string name;
  std::function<void(cudaStream_t)> launch;
  unsigned long long wrong = 0;         // elements
  std::vector<float> milliseconds = {}; // per launch, one sample a round
};

// A number of launches of one variant, recorded once and replayed without the host in between.
class Recording {
public:
  Recording(const Variant &variant, int launches, cudaStream_t on) : count(launches), stream(on) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording");
    for (int i = 0; i < count; ++i)
      variant.launch(stream);
    check(cudaStreamEndCapture(stream, &graph), "recording");
    const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "recording");
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
  }
  Recording(const Recording &) = delete;
  ~Recording() {
    cudaEventDestroy(end);
    cudaEventDestroy(begin);
    cudaGraphExecDestroy(executable);
  }

  // Milliseconds per launch.
  float time() const {
    float milliseconds = 0;
    check(cudaEventRecord(begin, stream), "event");
    check(cudaGraphLaunch(executable, stream), "replay");
    check(cudaEventRecord(end, stream), "event");
    check(cudaEventSynchronize(end), "replay");
    check(cudaEventElapsedTime(&milliseconds, begin, end), "event");
    return milliseconds / static_cast<float>(count);
  }

private:
  const int count;
  const cudaStream_t stream;
  cudaGraphExec_t executable = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
};

// Rounds in which every variant has its turn, in an order of its own each round: clocks, heat, and what ran just before
// hit all alike. The orders are the same in every run.
inline void time_interleaved(std::vector<Variant> &variants, int rounds, cudaStream_t stream) {
  constexpr float sample_milliseconds = 4.0f; // long against what an event costs
  const Recording first(variants[0], 1, stream);
  first.time(); // the first one only warms up
  const int count = std::max(1, static_cast<int>(sample_milliseconds / first.time()));

  std::vector<std::unique_ptr<Recording>> recordings;
  std::vector<size_t> order;
  for (const Variant &variant : variants) {
    order.push_back(recordings.size());
    recordings.push_back(std::make_unique<Recording>(variant, count, stream));
    recordings.back()->time();
  }
  std::minstd_rand random(1);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t i : order)
      variants[i].milliseconds.push_back(recordings[i]->time());
  }
}

inline float median(std::vector<float> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// How fast `variant` is compared with `base`: the median over rounds, so that drift cancels.
inline float speed_ratio(const Variant &variant, const Variant &base) {
  std::vector<float> ratios;
  for (size_t round = 0; round < variant.milliseconds.size(); ++round)
    ratios.push_back(base.milliseconds[round] / variant.milliseconds[round]);
  return median(ratios);
}

#endif
