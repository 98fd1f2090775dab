/* sha256.c - the digest that names a member's content (libmd). */
#include "package.h"

#include <sha2.h>

void pl_sha256(const void *data, size_t size, char hex[65]) {
  static const char digits[] = "0123456789abcdef";
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, data, size);
  SHA256Final(digest, &context);
  for (size_t i = 0; i < sizeof digest; i++) {
    hex[2 * i] = digits[digest[i] >> 4];
    hex[2 * i + 1] = digits[digest[i] & 15];
  }
  hex[64] = 0;
}
