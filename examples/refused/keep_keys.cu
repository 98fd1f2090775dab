// keep_keys.cu - a consumer that keeps the keys until it has the values: with one slot for keys the producer never
// comes to the values.
#include "row.h"

PIPELINK_STAGE("org.example.refused.use", "1.0.0");

struct shallow_options : rows_options {
  static constexpr unsigned depth_min = 1, depth_max = 1;
};

PIPELINK_RESOURCE("keys")
extern __device__ const pipelink::ring<Slot, pipelink::consumes<shallow_options>> keys;
PIPELINK_RESOURCE("values")
extern __device__ const pipelink::ring<Slot, pipelink::consumes<shallow_options>> values;

PIPELINK_ROLE("use", 4) __device__ void use(const Output &p) {
  auto key = keys.begin(), value = values.begin();
  for (unsigned row = 0; row < p.rows; ++row, ++key, ++value) {
    float x[8], y[8];
    keys.wait(key);
    read_row(keys.slot(key), x);
    values.wait(value);
    read_row(values.slot(value), y);
    keys.release(key);
    values.release(value);
    for (unsigned i = 0; i < 8; ++i)
      x[i] = (x[i] + y[i]) / 2;
    write_row(p, row, x);
  }
}
