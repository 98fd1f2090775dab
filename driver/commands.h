/* commands.h - the commands inside the program `pipelink`, and what they share.
 *
 * Each command is a `main` of its own: argv[0] is the command's name, the result is the exit status
 * (0 done, 1 it failed, 2 it was called wrongly). pipelink.c picks one.
 */
#ifndef PIPELINK_DRIVER_COMMANDS_H
#define PIPELINK_DRIVER_COMMANDS_H

enum { PIPELINK_DONE = 0, PIPELINK_FAILED = 1, PIPELINK_MISUSED = 2 };

int pipelink_cc_main(int argc, char **argv);      /* cc.c */
int pipelink_explain_main(int argc, char **argv); /* explain.c */
int pipelink_run_main(int argc, char **argv);     /* run.c */
int pipelink_map_main(int argc, char **argv);     /* map.c */
int pipelink_bench_main(int argc, char **argv);   /* bench.c */

/* The folder above the one the running program lies in, by /proc/self/exe: a build folder or an install prefix,
 * holding bin/, lib/ and include/. malloc'ed; NULL when out of memory or without /proc. */
char *pipelink_prefix(void);

/* "PREFIX/RELATIVE", malloc'ed; NULL when out of memory. */
char *pipelink_path(const char *prefix, const char *relative);

/* "pipelink: error: ..." on stderr. */
void pipelink_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
