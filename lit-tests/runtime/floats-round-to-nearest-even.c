/* RUN: %test-programs/floats-round-to-nearest-even

   Half and bfloat16: every code comes back from its own value; half-way cases go to the even neighbour; anything else
   to the nearer one, subnormals included. */
#include "Inputs/check.h"

#include "number.h"

#include <math.h>

static unsigned encode(const pl_number *type, double value) {
  unsigned char bytes[2] = {0xee, 0xee};
  return pl_number_encode_float(type, value, bytes) ? (unsigned)(bytes[0] | bytes[1] << 8) : 0x10000;
}

static void check_all_codes(const pl_number *type, unsigned infinity) {
  for (unsigned code = 0; code < infinity; code++) {
    const unsigned char bytes[2] = {(unsigned char)code, (unsigned char)(code >> 8)};
    double value = pl_number_decode_float(type, bytes);
    if (encode(type, value) != code || encode(type, -value) != (code | 0x8000)) {
      fprintf(stderr, "code %#x does not come back from %.17g\n", code, value);
      failed_checks++;
      return;
    }
    if (code + 1 == infinity)
      break;
    const unsigned char next_bytes[2] = {(unsigned char)(code + 1), (unsigned char)((code + 1) >> 8)};
    double middle = (value + pl_number_decode_float(type, next_bytes)) / 2;
    CHECK(encode(type, middle) == code + (code & 1));
    CHECK(encode(type, nextafter(middle, 0)) == code);
    CHECK(encode(type, nextafter(middle, INFINITY)) == code + 1);
  }
}

int main(void) {
  const pl_number half = {PIPELINK_PARAMETER_FLOAT, 16, false, false};
  const pl_number bfloat = {PIPELINK_PARAMETER_FLOAT, 16, false, true};
  check_all_codes(&half, 0x7c00);
  check_all_codes(&bfloat, 0x7f80);
  CHECK(encode(&half, 65519.99) == 0x7bff);
  CHECK(encode(&half, 65520) == 0x10000);
  CHECK(encode(&half, INFINITY) == 0x7c00);
  CHECK(encode(&bfloat, -INFINITY) == 0xff80);
  CHECK(encode(&half, 5e-324) == 0);
  CHECK((encode(&half, NAN) & 0x7fff) > 0x7c00);
  CHECK((encode(&bfloat, NAN) & 0x7fff) > 0x7f80);
  return CHECK_RESULT();
}
