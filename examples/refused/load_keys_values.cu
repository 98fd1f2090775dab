// load_keys_values.cu - the producer of two rings: K0 K1 V0 K2 V1 ..., the values one behind the keys.
#include "row.h"

PIPELINK_STAGE("org.example.refused.load", "1.0.0");

struct shallow_options : rows_options {
  static constexpr unsigned depth_min = 1, depth_max = 1;
};

PIPELINK_RESOURCE("keys")
extern __device__ const pipelink::ring<Slot, pipelink::produces<shallow_options>> keys;
PIPELINK_RESOURCE("values")
extern __device__ const pipelink::ring<Slot, pipelink::produces<shallow_options>> values;

template <class Ring>
static __device__ void copy(const Ring &ring, pipelink::ring_cursor &at, const Input &p, unsigned row) {
  ring.acquire(at);
  ring.expect_tx(at);
  pipelink::bulk_load(&ring.slot(at), p.input + row_begin(row), sizeof(Slot), ring.full_barrier(at));
  ++at;
}

PIPELINK_ROLE("load", 1) __device__ void load(const Input &p) {
  if (pipelink::thread() != 0)
    return;
  auto key = keys.begin(), value = values.begin();
  copy(keys, key, p, 0);
  for (unsigned row = 1; row < p.rows; ++row) {
    copy(keys, key, p, row);
    copy(values, value, p, row - 1);
  }
  copy(values, value, p, p.rows - 1);
}
