/* RUN: rm -rf %t && %make-kernel %t --kind=types && %make-kernel %t --name=pointers
   RUN: %fake-gpu %test-programs/values-that-do-not-fit-are-refused %t/hello.cubin %t/pointers.cubin

   One beyond either end of a type's range is refused, the ends are taken; and a setter of another kind is refused. */
#include "Inputs/check.h"

#include <pipelink/pipelink.h>

#include <math.h>

static pipelink_kernel *kernel;

static void integers(const char *name, int64_t lowest, int64_t highest) {
  CHECK(pipelink_kernel_set_integer(kernel, name, lowest, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_integer(kernel, name, highest, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_integer(kernel, name, lowest - 1, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_integer(kernel, name, highest + 1, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_unsigned(kernel, name, (uint64_t)highest, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_unsigned(kernel, name, (uint64_t)highest + 1, NULL) == PIPELINK_ERROR_TYPE);
}

static void floats(const char *name, double highest, double beyond) {
  CHECK(pipelink_kernel_set_float(kernel, name, highest, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_float(kernel, name, -highest, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_float(kernel, name, INFINITY, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_float(kernel, name, NAN, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_float(kernel, name, beyond, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_float(kernel, name, -beyond, NULL) == PIPELINK_ERROR_TYPE);
}

static void other_kinds(void) {
  pipelink_error error = PIPELINK_ERROR_INIT;
  CHECK(pipelink_kernel_set_float(kernel, "i32", 1, &error) == PIPELINK_ERROR_TYPE);
  CHECK_CONTAINS(error.text, "stage.i32 has type int and cannot be set as a float");
  CHECK(pipelink_kernel_set_pointer(kernel, "u64", 1, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_integer(kernel, "f32", 1, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_unsigned(kernel, "f64", 1, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_integer(kernel, "shape", 1, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_bytes(kernel, "i32", "abc", 3, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_bytes(kernel, "i32", "abcd", 4, NULL) == PIPELINK_OK);
}

int main(int argc, char **argv) {
  (void)argc;
  pipelink_error error = PIPELINK_ERROR_INIT;
  CHECK(pipelink_kernel_load(argv[1], NULL, &kernel, &error) == PIPELINK_OK);
  integers("i8", -128, 127);
  integers("u8", 0, 255);
  integers("i16", -32768, 32767);
  integers("u16", 0, 65535);
  integers("i32", INT32_MIN, INT32_MAX);
  integers("u32", 0, UINT32_MAX);
  integers("flag", 0, 1);
  CHECK(pipelink_kernel_set_integer(kernel, "u64", -1, NULL) == PIPELINK_ERROR_TYPE);
  CHECK(pipelink_kernel_set_unsigned(kernel, "i64", INT64_MAX, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_unsigned(kernel, "i64", (uint64_t)INT64_MAX + 1, &error) == PIPELINK_ERROR_TYPE);
  CHECK_CONTAINS(error.text, "9223372036854775808 is out of the range of stage.i64, which has type long");
  floats("half", 65504, 65520);
  floats("bfloat", 3.3895313892515355e38, 3.4e38);
  floats("f32", 3.4028234663852886e38, 3.5e38);
  other_kinds();
  pipelink_kernel_free(kernel);

  CHECK(pipelink_kernel_load(argv[2], NULL, &kernel, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_pointer(kernel, "output", 0, NULL) == PIPELINK_OK);
  CHECK(pipelink_kernel_set_unsigned(kernel, "output", 64, NULL) == PIPELINK_ERROR_TYPE);
  pipelink_kernel_free(kernel);
  return CHECK_RESULT();
}
