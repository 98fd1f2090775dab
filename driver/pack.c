/* pack.c - `pipelink pack`: sources or bitcode in, a package out.
 *
 * compile (pipelink cc, per source and profile) -> parse -> group by stage -> link and check each group
 * (passes/pack_stage.c) -> compose the zip (passes/package.c) -> read it back -> write it.
 */
#include "bitcode.h"
#include "commands.h"
#include "compile.h"
#include "file_kind.h"
#include "pack_options.h"
#include "pack_stage.h"
#include "profiles.h"
#include "report.h"
#include "toolkit.h"

#include <errno.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char tool[] = "pipelink pack";

enum { FILE_MOST = 1 << 29 /* bytes of one input */ };

/* One input compiled for one profile. */
typedef struct pl_unit {
  size_t input;
  const char *profile;
  pl_stage_module module;
} pl_unit;

typedef struct pl_packing {
  pl_pack_options options;
  pl_arena *arena;
  pl_sink *sink;
  LLVMContextRef context;
  pl_unit *units;
  size_t unit_count;
  pl_member *members; /* headers and libraries, with content */
  size_t member_count;
  const char *cuda_version; /* of the producer */
  pl_outputs *outputs;
} pl_packing;

/* ---- inputs ---- */

/* Says what a file is that cannot be used here, and what to do with it. */
static pl_status refuse_kind(const char *path, const void *data, size_t size, const char *use, pl_sink *sink) {
  pl_file_kind kind = pl_file_identify(data, size);
  const char *section = kind == PL_FILE_HOST_OBJECT ? pl_host_object_device_section(data, size) : NULL;
  if (section) {
    pl_report(sink, PL_ERROR, "L-INPUT", "%s: is a host object with device code embedded in section '%s'", path,
              section);
    pl_fix(sink,
           strstr(section, "llvm") ? "compile its source with `pipelink cc`; or take the device code out with "
                                     "`clang-offload-packager %s --image=file=slice.bc,arch=ARCH`"
                                   : "compile its source with `pipelink cc`; or take the device code out with "
                                     "`cuobjdump --extract-elf all %s` and pass the cubin as --lib=",
           path);
    return -EBADMSG;
  }
  pl_report(sink, PL_ERROR, "L-INPUT", "%s: is %s, not %s", path, pl_file_kind_words(kind), use);
  if (kind == PL_FILE_HOST_OBJECT || kind == PL_FILE_ARCHIVE)
    pl_fix(sink, "compile its source with `pipelink cc`; device code inside may be listed with `cuobjdump %s`", path);
  else if (kind == PL_FILE_PACKAGE)
    pl_fix(sink, "a package is linked as it is: ld.pipelink %s", path);
  else if (kind == PL_FILE_BITCODE)
    pl_fix(sink, "give it as an input, without --lib=: it becomes part of the stage");
  else if (kind != PL_FILE_UNKNOWN)
    pl_fix(sink, "compiled device code goes along as --lib=%s", path);
  return -EBADMSG;
}

static pl_status read_file(const char *path, pl_sink *sink, char **data, size_t *size) {
  pl_status status = pl_file_read(path, FILE_MOST, data, size);
  if (status)
    pl_report(sink, PL_ERROR, "L-INPUT", "%s: cannot be read: %s", path, strerror(-status));
  return status;
}

/* A .bc is for the GPU it was compiled for; --arch, if given, must agree. */
static pl_status find_profile(const pl_packing *pack, pl_unit *unit) {
  const pl_pack_options *options = &pack->options;
  const char *path = unit->module.path;
  pl_status status = pl_bitcode_profile(unit->module.module, path, pack->arena, pack->sink, &unit->profile);
  if (status)
    return status;
  if (!unit->profile && options->profile_count == 1)
    unit->profile = options->profiles[0];
  if (!unit->profile) {
    pl_report(pack->sink, PL_ERROR, "L-TARGET", "%s: no function says for which GPU it was compiled", path);
    pl_fix(pack->sink, "compile the stage with `pipelink cc --arch=...`, or give the one --arch= that it is for");
    return -EINVAL;
  }
  if (!pl_profile_find(unit->profile)) {
    const pl_profile *near = pl_profile_near(unit->profile);
    pl_report(pack->sink, PL_ERROR, "L-TARGET", "%s: compiled for '%s', which is no profile", path, unit->profile);
    if (near)
      pl_fix(pack->sink, "the suffix is part of a profile's name: compile it with --arch=%s", near->name);
    return -EINVAL;
  }
  for (size_t i = 0; i < options->profile_count; i++)
    if (!strcmp(options->profiles[i], unit->profile))
      return 0;
  if (!options->profile_count)
    return 0;
  pl_report(pack->sink, PL_ERROR, "L-TARGET", "%s: compiled for %s, which is not in --arch=", path, unit->profile);
  return -EINVAL;
}

/* `profile` is NULL for bitcode, which says it itself. */
static pl_status add_unit(pl_packing *pack, size_t input, const char *profile, const void *bitcode, size_t size) {
  const char *path = pack->options.inputs[input];
  pl_unit *unit = &pack->units[pack->unit_count];
  *unit = (pl_unit){.input = input, .profile = profile, .module.path = path};
  pl_status status = pl_bitcode_parse(pack->context, bitcode, size, path, pack->sink, &unit->module.module);
  if (status)
    return status;
  pack->unit_count++;
  if (!unit->profile)
    status = find_profile(pack, unit);
  return status ? status : pl_stage_module_identify(&unit->module, pack->arena, pack->sink);
}

static pl_status read_bitcode(pl_packing *pack, size_t input) {
  const char *path = pack->options.inputs[input];
  char *data;
  size_t size;
  pl_status status = read_file(path, pack->sink, &data, &size);
  if (status)
    return status;
  if (pl_file_identify(data, size) != PL_FILE_BITCODE)
    status = refuse_kind(path, data, size, "a CUDA source (.cu) or LLVM bitcode (.bc)", pack->sink);
  else
    status = add_unit(pack, input, NULL, data, size);
  free(data);
  return status;
}

static pl_status compile_unit(pl_packing *pack, size_t input, const pl_compile_request *request, pl_buffer *bitcode) {
  pl_status status = pl_compile(request, pack->arena, pack->sink, bitcode);
  return status ? status : add_unit(pack, input, request->profile, bitcode->data, bitcode->size);
}

static pl_status compile_source(pl_packing *pack, size_t input) {
  const pl_pack_options *options = &pack->options;
  if (!options->profile_count) {
    pl_report(pack->sink, PL_ERROR, "L-OPTION", "%s: for which GPU? Add --arch=, e.g. --arch=sm_90a",
              options->inputs[input]);
    return -EINVAL;
  }
  pl_buffer bitcode = {0};
  pl_status status = 0;
  for (size_t i = 0; i < options->profile_count && !status; i++) {
    pl_compile_request request = {.source = options->inputs[input],
                                  .profile = options->profiles[i],
                                  .cuda_path = options->cuda_path,
                                  .flags = options->flags,
                                  .flag_count = options->flag_count};
    status = compile_unit(pack, input, &request, &bitcode);
    /* clang has optimised a file that declares no stage. When it helps one, it must be as raw as the rest is. */
    if (!status && options->input_count > 1 && !pack->units[pack->unit_count - 1].module.stage) {
      LLVMDisposeModule(pack->units[--pack->unit_count].module.module);
      request.without_contract = true;
      status = compile_unit(pack, input, &request, &bitcode);
    }
  }
  pl_buffer_free(&bitcode);
  return status;
}

static bool is_source(const char *path) {
  const char *dot = strrchr(pl_path_base(path), '.');
  static const char *const endings[] = {".cu", ".cuh", ".cpp", ".cc", ".cxx"};
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (!strcmp(dot, endings[i]))
      return true;
  return false;
}

static pl_status read_inputs(pl_packing *pack, bool *any_source) {
  size_t most = pack->options.input_count * (pack->options.profile_count ? pack->options.profile_count : 1);
  pack->units = pl_arena_array(pack->arena, most, sizeof *pack->units);
  pl_status status = pack->units ? 0 : -ENOMEM;
  for (size_t i = 0; i < pack->options.input_count && !status; i++) {
    bool source = is_source(pack->options.inputs[i]);
    *any_source = *any_source || source;
    status = source ? compile_source(pack, i) : read_bitcode(pack, i);
  }
  return status;
}

/* The CUDA that took part: of the toolkit that compiled the sources. For bitcode from elsewhere, the toolkit at hand,
 * or what clang noted in it, or 0.0: unknown. */
static pl_status find_cuda_version(pl_packing *pack, bool any_source) {
  pl_toolkit toolkit;
  pl_sink quiet;
  pl_status status = pl_sink_init(&quiet);
  if (status)
    return status;
  unsigned major = 0, minor = 0;
  bool must_exist = any_source || pack->options.cuda_path;
  status = pl_toolkit_find(pack->options.cuda_path, pack->arena, must_exist ? pack->sink : &quiet, &toolkit);
  if (!status) {
    major = toolkit.major;
    minor = toolkit.minor;
  } else if (!must_exist) {
    status = 0;
    for (size_t i = 0; i < pack->unit_count; i++)
      pl_bitcode_sdk_version(pack->units[i].module.module, &major, &minor);
  }
  pl_sink_free(&quiet);
  pack->cuda_version = pl_arena_printf(pack->arena, "%u.%u", major, minor);
  return status ? status : pack->cuda_version ? 0 : -ENOMEM;
}

/* ---- headers and libraries ---- */

static pl_status add_member(pl_packing *pack, const char *path, const char *folder, bool is_library) {
  char *data;
  size_t size;
  pl_status status = read_file(path, pack->sink, &data, &size);
  if (status)
    return status;
  pl_file_kind kind = pl_file_identify(data, size);
  pl_member *member = &pack->members[pack->member_count];
  if (is_library && kind != PL_FILE_PTX && kind != PL_FILE_CUBIN && kind != PL_FILE_LTOIR && kind != PL_FILE_FATBIN) {
    status = refuse_kind(path, data, size, "device code (PTX, cubin, LTO-IR or fat binary)", pack->sink);
  } else {
    member->name = pl_arena_printf(pack->arena, "%s/%s", folder, pl_path_base(path));
    member->data = pl_arena_copy(pack->arena, data, size);
    member->size = size;
    status = member->name && member->data ? 0 : -ENOMEM;
  }
  free(data);
  if (status)
    return status;
  if (!pl_member_name_is_valid(member->name)) {
    pl_report(pack->sink, PL_ERROR, "L-INPUT", "%s: a package cannot hold a file of this name; rename it", path);
    return -EINVAL;
  }
  for (size_t i = 0; i < pack->member_count; i++) {
    if (!strcmp(pack->members[i].name, member->name)) {
      pl_report(pack->sink, PL_ERROR, "L-INPUT", "%s: a second file for '%s' in the package", path, member->name);
      return -EINVAL;
    }
  }
  pack->member_count++;
  return 0;
}

static pl_status read_members(pl_packing *pack) {
  const pl_pack_options *options = &pack->options;
  pack->members = pl_arena_array(pack->arena, options->header_count + options->library_count, sizeof *pack->members);
  pl_status status = pack->members ? 0 : -ENOMEM;
  for (size_t i = 0; i < options->header_count && !status; i++)
    status = add_member(pack, options->headers[i], "include", false);
  for (size_t i = 0; i < options->library_count && !status; i++)
    status = add_member(pack, options->libraries[i], "lib", true);
  return status;
}

/* ---- one package ---- */

static const char *output_path(const pl_packing *pack, const char *stage) {
  if (pack->options.output)
    return pack->options.output;
  if (!pack->options.out_dir)
    return pl_arena_printf(pack->arena, "%s.plink", stage);
  return pl_arena_printf(pack->arena, "%s/%s.plink", pack->options.out_dir, stage);
}

/* What was composed must be readable: a package that no linker takes is refused here, not at the user's. */
static pl_status write_package(pl_packing *pack, const pl_packed_stage *stages, size_t count) {
  pl_pack_code *codes = pl_arena_array(pack->arena, count, sizeof *codes);
  const char *path = output_path(pack, stages[0].name);
  if (!codes || !path)
    return -ENOMEM;
  for (size_t i = 0; i < count; i++)
    codes[i] = stages[i].code;
  pl_buffer zip = {0};
  pl_package package;
  pl_status status = pl_package_write(stages[0].name, stages[0].version, pack->cuda_version, codes, count,
                                      pack->members, pack->member_count, pack->arena, pack->sink, &zip);
  if (!status)
    status = pl_package_read_memory(path, zip.data, zip.size, pack->arena, pack->sink, &package);
  if (!status)
    status = pl_outputs_add(pack->outputs, path, zip.data, zip.size);
  pl_buffer_free(&zip);
  return status;
}

/* Packs the units of one input, or of all when `input` is SIZE_MAX. */
static pl_status pack_group(pl_packing *pack, size_t input) {
  pl_stage_module *modules = pl_arena_array(pack->arena, pack->unit_count, sizeof *modules);
  pl_packed_stage *stages = pl_arena_array(pack->arena, pack->unit_count, sizeof *stages);
  size_t stage_count = 0;
  pl_status status = modules && stages ? 0 : -ENOMEM;
  for (size_t first = 0; first < pack->unit_count && !status; first++) {
    const char *profile = pack->units[first].profile;
    size_t count = 0;
    for (size_t i = first; i < pack->unit_count; i++) {
      pl_unit *unit = &pack->units[i];
      if (!unit->module.module || strcmp(unit->profile, profile) != 0 || (input != SIZE_MAX && unit->input != input))
        continue;
      modules[count++] = unit->module;
      unit->module.module = NULL; /* pl_pack_stage takes it */
    }
    if (!count)
      continue;
    status = pl_pack_stage(modules, count, profile, pack->options.library_count != 0, pack->arena, pack->sink,
                           &stages[stage_count]);
    if (status)
      break;
    stage_count++;
    const pl_packed_stage *last = &stages[stage_count - 1];
    if (strcmp(stages[0].name, last->name) != 0 || strcmp(stages[0].version, last->version) != 0) {
      pl_report(pack->sink, PL_ERROR, "L-CONTRACT", "one package for two stages: %s %s for %s, %s %s for %s",
                stages[0].name, stages[0].version, stages[0].code.profile, last->name, last->version,
                last->code.profile);
      status = -EBADMSG;
    }
  }
  if (!status)
    status = write_package(pack, stages, stage_count);
  for (size_t i = 0; i < stage_count; i++)
    json_decref(stages[i].code.contract);
  return status;
}

/* With --out-dir, inputs that all declare a stage are packages of their own. */
static bool is_package_per_input(const pl_packing *pack) {
  for (size_t i = 0; i < pack->unit_count; i++)
    if (!pack->units[i].module.stage)
      return false;
  return pack->options.out_dir != NULL;
}

static pl_status pack_all(pl_packing *pack) {
  bool any_source = false;
  pl_status status = read_members(pack);
  if (!status)
    status = read_inputs(pack, &any_source);
  if (!status)
    status = find_cuda_version(pack, any_source);
  if (!status && is_package_per_input(pack)) {
    for (size_t i = 0; i < pack->options.input_count && !status; i++)
      status = pack_group(pack, i);
  } else if (!status) {
    status = pack_group(pack, SIZE_MAX);
  }
  if (status)
    return status;
  status = pl_sink_status(pack->sink); /* a warning that is an error by -Werror= */
  if (status)
    return status;
  const char *failed;
  status = pl_outputs_commit(pack->outputs, &failed);
  if (status)
    pl_report(pack->sink, PL_ERROR, "L-OUTPUT", "%s: cannot be written: %s", failed, strerror(-status));
  return status;
}

static int run(int argc, char **argv, pl_packing *pack) {
  if (!pl_pack_options_parse(argc, argv, pack->arena, pack->sink, &pack->options))
    return PIPELINK_MISUSED;
  pack->sink->policy = &pack->options.report.policy;
  if (pack->options.want_help) {
    fputs(pl_pack_help, stdout);
    fputs(pl_report_help, stdout);
    fputs(pl_pack_example, stdout);
    return PIPELINK_DONE;
  }
  pl_status status = pack_all(pack);
  for (size_t i = 0; i < pack->unit_count; i++)
    if (pack->units[i].module.module)
      LLVMDisposeModule(pack->units[i].module.module);
  if (status == -ENOMEM)
    pack->sink->out_of_memory = true;
  return status ? PIPELINK_FAILED : PIPELINK_DONE;
}

int main(int argc, char **argv) {
  pl_sink sink;
  pl_packing pack = {.arena = pl_arena_create(), .outputs = pl_outputs_create(), .sink = &sink};
  int result = PIPELINK_FAILED;
  if (pl_sink_init(&sink) || !pack.arena || !pack.outputs) {
    fprintf(stderr, "%s: error: out of memory\n", tool);
  } else {
    pack.context = pl_bitcode_context(&sink);
    result = run(argc, argv, &pack);
    LLVMContextDispose(pack.context);
    if (!pl_report_show(&sink, tool, &pack.options.report) || pl_sink_has_errors(&sink))
      result = result == PIPELINK_DONE ? PIPELINK_FAILED : result;
  }
  pl_outputs_free(pack.outputs);
  pl_arena_free(pack.arena);
  pl_sink_free(&sink);
  return result;
}
