/* map.c - `pipelink map K.map.json --svg=K.svg`: a placement as a picture of one SM.
 *
 * Reads what ld.pipelink --map-json= wrote (docs/map.md); map_picture.c draws it.
 */
#include "map_picture.h"

#include "commands.h"
#include "report.h"

#include "contract.h" /* pl_json_load */
#include "support.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_BYTES_MAX = 16 << 20 };

static const char HELP[] =
    "usage: pipelink map KERNEL.map.json --svg=KERNEL.svg\n"
    "\n"
    "Draws a placement: warps and roles with their registers, rings with their depth between their roles, shared "
    "memory\n"
    "over the kernel's phases, named barriers and tensor memory. ld.pipelink --map-json= writes the file it reads.\n"
    "\n"
    "  --svg=FILE   the picture; any browser shows it\n"
    "\n"
    "example:\n"
    "  ld.pipelink load.plink mma.plink epilogue.plink -o gemm.cubin --map-json=gemm.map.json\n"
    "  pipelink map gemm.map.json --svg=gemm.svg\n";

static pl_status write_picture(const char *path, const pl_buffer *picture, pl_sink *sink) {
  const char *failed = path;
  pl_outputs *outputs = pl_outputs_create();
  pl_status status = outputs ? pl_outputs_add(outputs, path, picture->data, picture->size) : -ENOMEM;
  if (!status)
    status = pl_outputs_commit(outputs, &failed);
  if (status)
    pl_report(sink, PL_ERROR, "L-OUTPUT", "cannot write %s: %s", failed, strerror(-status));
  pl_outputs_free(outputs);
  return status;
}

static pl_status draw(const char *input, const char *svg, pl_sink *sink) {
  char *text = NULL;
  size_t size;
  pl_status status = pl_file_read(input, MAP_BYTES_MAX, &text, &size);
  if (status) {
    pl_report(sink, PL_ERROR, "L-MAP", "cannot read %s: %s", input, strerror(-status));
    return status;
  }
  json_t *map = pl_json_load(text, size, input, sink);
  pl_buffer picture = {0};
  status = map ? map_picture_draw(map, &picture) : -EBADMSG;
  if (map && status) {
    pl_report(sink, PL_ERROR, "L-MAP", "%s is no placement that this version knows", input);
    pl_fix(sink, "write it with ld.pipelink --map-json=");
  }
  if (!status)
    status = write_picture(svg, &picture, sink);
  pl_buffer_free(&picture);
  json_decref(map);
  free(text);
  return status;
}

int pipelink_map_main(int argc, char **argv) {
  static const struct option options[] = {
      {"svg", required_argument, NULL, 's'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
  const char *svg = NULL;
  optind = 0;
  for (int option; (option = getopt_long_only(argc, argv, "", options, NULL)) != -1;) {
    if (option == 'h') {
      fputs(HELP, stdout);
      return PIPELINK_DONE;
    }
    if (option != 's')
      return PIPELINK_MISUSED;
    svg = optarg;
  }
  if (!svg || argc - optind != 1) {
    pipelink_complain("%s; `pipelink map --help` shows an example",
                      svg ? "one map file, please" : "no picture asked for: --svg=FILE");
    return PIPELINK_MISUSED;
  }
  pl_sink sink;
  pl_status status = pl_sink_init(&sink);
  if (!status)
    status = draw(argv[optind], svg, &sink);
  pl_report_print(&sink, "pipelink map");
  pl_sink_free(&sink);
  return status ? PIPELINK_FAILED : PIPELINK_DONE;
}
