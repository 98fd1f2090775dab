/* check.h - for tests in C: a check that fails says where and what, and the program goes on to the next. */
#ifndef PIPELINK_LIT_TESTS_CHECK_H
#define PIPELINK_LIT_TESTS_CHECK_H

#include <stdio.h>
#include <string.h>

static int failed_checks;

#define CHECK(condition)                                                                                               \
  ((condition) ? (void)0 : (failed_checks++, (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))
#define CHECK_TEXT(found, expected)                                                                                    \
  (!strcmp(found, expected) ? (void)0                                                                                  \
                            : (failed_checks++, (void)fprintf(stderr, "%s:%d: found    \"%s\"\n  expected \"%s\"\n",   \
                                                              __FILE__, __LINE__, found, expected)))
#define CHECK_CONTAINS(text, part)                                                                                     \
  (strstr(text, part)                                                                                                  \
       ? (void)0                                                                                                       \
       : (failed_checks++, (void)fprintf(stderr, "%s:%d: \"%s\" is not in \"%s\"\n", __FILE__, __LINE__, part, text)))
/* For the end of main. */
#define CHECK_RESULT() (failed_checks ? 1 : (puts("all checks passed"), 0))

#endif
