/* read.c - first phase: opens the packages, decides the profile, finds the toolkit.
 *
 * Before: paths. After: packages with contracts, all holding code for one known profile, made by tool chains that
 * this linker can read. bind.c comes next.
 */
#include "file_kind.h"
#include "link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

/* "sm_100a, sm_90a" */
static const char *profiles_of(pl_link *link, const pl_package *package) {
  const char *text = "";
  for (size_t i = 0; i < package->code_count && text; i++)
    text = pl_arena_printf(link->arena, "%s%s%s", text, i ? ", " : "", package->codes[i].profile);
  return text && *text ? text : "nothing";
}

/* Says what a file is that is no package, and what to do with it. */
static pl_status refuse_foreign(pl_link *link, const char *path, pl_file_kind kind) {
  pl_report(link->sink, PL_ERROR, "L-PACKAGE", "%s is %s, not a package", path, pl_file_kind_words(kind));
  if (kind == PL_FILE_HOST_OBJECT || kind == PL_FILE_ARCHIVE)
    pl_fix(link->sink,
           "device code inside it is a slice for one GPU: extract it with 'cuobjdump -xelf all %s' (nvcc) or "
           "'clang-offload-packager %s' (clang), or compile the source with 'pipelink cc'",
           path, path);
  else
    pl_fix(link->sink, "make a package of it: pipelink pack %s -o NAME.plink",
           kind == PL_FILE_BITCODE ? path : "STAGE.cu --lib=THIS");
  return -EBADMSG;
}

static pl_status read_package(pl_link *link, const char *path, pl_package *package) {
  char *data;
  size_t size;
  pl_status status = pl_file_read(path, PL_PACKAGE_FILE_MAX, &data, &size);
  if (status) {
    pl_report(link->sink, PL_ERROR, "L-PACKAGE", "cannot read %s: %s", path, strerror(-status));
    return status;
  }
  pl_file_kind kind = pl_file_identify(data, size);
  status = kind != PL_FILE_PACKAGE && kind != PL_FILE_UNKNOWN
               ? refuse_foreign(link, path, kind)
               : pl_package_read_memory(path, data, size, link->arena, link->sink, package);
  free(data);
  return status;
}

static pl_status unknown_profile(pl_link *link, const char *name) {
  const pl_profile *near = pl_profile_near(name);
  pl_report(link->sink, PL_ERROR, "L-TARGET", "unknown profile '%s'", name);
  if (near)
    pl_fix(link->sink, "the suffix is part of a profile's name: did you mean %s?", near->name);
  else
    pl_fix(link->sink, "known profiles are sm_90a, sm_100a, sm_103a, sm_120a and sm_121a");
  return -EINVAL;
}

static bool all_have(const pl_link *link, const char *profile) {
  for (size_t i = 0; i < link->package_count; i++)
    if (!pl_package_code(&link->packages[i], profile))
      return false;
  return true;
}

/* The profile given by --arch, or the one that all packages have in common. */
static pl_status choose_profile(pl_link *link) {
  if (link->options.arch) {
    link->profile = pl_profile_find(link->options.arch);
    if (!link->profile)
      return unknown_profile(link, link->options.arch);
    bool missing = false;
    for (size_t i = 0; i < link->package_count; i++) {
      const pl_package *package = &link->packages[i];
      if (pl_package_code(package, link->profile->name))
        continue;
      missing = true;
      pl_report(link->sink, PL_ERROR, "L-TARGET", "no code for %s in package %s %s; it has: %s", link->profile->name,
                package->name, package->version, profiles_of(link, package));
      pl_detail(link->sink, "read from %s", package->path);
      pl_fix(link->sink, "pack it with --arch=%s, or link for a profile that it has", link->profile->name);
    }
    return missing ? -EINVAL : 0;
  }
  const pl_profile *common = NULL;
  size_t common_count = 0;
  for (size_t i = 0; pl_profile_at(i); i++) {
    if (all_have(link, pl_profile_at(i)->name)) {
      common = pl_profile_at(i);
      common_count++;
    }
  }
  if (common_count == 1) {
    link->profile = common;
    return 0;
  }
  pl_report(link->sink, PL_ERROR, "L-TARGET",
            common_count ? "the packages have code for several profiles in common"
                         : "the packages have no profile in common");
  for (size_t i = 0; i < link->package_count; i++)
    pl_detail(link->sink, "%s %s has: %s", link->packages[i].name, link->packages[i].version,
              profiles_of(link, &link->packages[i]));
  pl_fix(link->sink, common_count ? "choose one with --arch=" : "pack every stage for the same profile");
  return -EINVAL;
}

/* First number of a version, or two of them as major * 1000 + minor. */
static unsigned version_number(const char *text, bool with_minor) {
  unsigned major = 0, minor = 0;
  if (!text || sscanf(text, "%u.%u", &major, &minor) < 1)
    return 0;
  return with_minor ? major * 1000 + minor : major;
}

static bool has_ltoir(const pl_package *package, const pl_link *link) {
  for (size_t i = 0; i < package->library_count; i++) {
    const pl_member *member = pl_package_member(package, package->libraries[i]);
    pl_codegen_library library;
    if (member && !pl_library_classify(member->name, member->data, member->size, link->sink, &library) &&
        library.kind == PL_LIBRARY_LTOIR)
      return true;
  }
  return false;
}

/* Bitcode and LTO-IR are read by the same or a newer tool chain only. */
static pl_status check_producers(pl_link *link) {
  unsigned llvm_major;
  LLVMGetVersion(&llvm_major, NULL, NULL);
  pl_status status = 0;
  for (size_t i = 0; i < link->package_count; i++) {
    const pl_package *package = &link->packages[i];
    if (version_number(package->producer_llvm, false) > llvm_major) {
      pl_report(link->sink, PL_ERROR, "L-VERSION", "package %s %s was made by LLVM %s; this linker reads up to LLVM %u",
                package->name, package->version, package->producer_llvm, llvm_major);
      pl_detail(link->sink, "read from %s", package->path);
      pl_fix(link->sink, "use a PipeLink built with that LLVM, or pack the stage with LLVM %u", llvm_major);
      status = -EINVAL;
    }
    unsigned theirs = version_number(package->producer_cuda, true);
    unsigned ours = link->toolkit.major * 1000 + link->toolkit.minor;
    if (theirs > ours) {
      pl_report(link->sink, PL_ERROR, "L-VERSION", "package %s %s was made with CUDA %s; the toolkit here is %u.%u",
                package->name, package->version, package->producer_cuda, link->toolkit.major, link->toolkit.minor);
      pl_detail(link->sink, "read from %s", package->path);
      pl_detail(link->sink, "nvJitLink loaded from %s", link->toolkit.libnvjitlink);
      pl_fix(link->sink, "link with CUDA %s or newer (--cuda-path=), or pack the stage with CUDA %u.%u",
             package->producer_cuda, link->toolkit.major, link->toolkit.minor);
      status = -EINVAL;
    } else if (theirs / 1000 != ours / 1000 && has_ltoir(package, link)) {
      pl_report(link->sink, PL_ERROR, "L-VERSION",
                "package %s %s carries LTO-IR of CUDA %s; nvJitLink %u.%u reads only its own major version",
                package->name, package->version, package->producer_cuda, link->toolkit.major, link->toolkit.minor);
      pl_detail(link->sink, "nvJitLink loaded from %s", link->toolkit.libnvjitlink);
      pl_fix(link->sink, "build the library with CUDA %u", link->toolkit.major);
      status = -EINVAL;
    }
  }
  return status;
}

pl_status pl_phase_read(pl_link *link) {
  pl_status status = pl_script_read(link->options.script, link->arena, link->sink, &link->script);
  if (status)
    return status;
  if (!link->options.input_count) {
    pl_report(link->sink, PL_ERROR, "L-PACKAGE", "no packages given");
    pl_fix(link->sink, "ld.pipelink A.plink B.plink -o KERNEL.cubin");
    return -EINVAL;
  }
  link->packages = pl_arena_array(link->arena, link->options.input_count, sizeof *link->packages);
  if (!link->packages)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->options.input_count; i++) {
    pl_status failed = read_package(link, link->options.inputs[i], &link->packages[link->package_count]);
    if (failed)
      status = failed;
    else
      link->package_count++;
  }
  if (status || (status = pl_toolkit_find(link->options.cuda_path, link->arena, link->sink, &link->toolkit)) ||
      (status = choose_profile(link)))
    return status;
  return check_producers(link);
}

void pl_print_read(const pl_link *link, pl_buffer *text) {
  pl_buffer_printf(text, "profile %s, CUDA %u.%u at %s\n", link->profile->name, link->toolkit.major,
                   link->toolkit.minor, link->toolkit.root);
  for (size_t i = 0; i < link->package_count; i++) {
    const pl_package *package = &link->packages[i];
    const pl_contract *contract = &pl_package_code(package, link->profile->name)->contract;
    pl_buffer_printf(text, "package %s %s from %s\n", package->name, package->version, package->path);
    for (size_t k = 0; k < contract->role_count; k++)
      pl_buffer_printf(text, "  role %s, %u warps\n", contract->roles[k].name, contract->roles[k].warps);
    for (size_t k = 0; k < contract->seam_count; k++)
      pl_buffer_printf(text, "  %s %s: %s\n", contract->seams[k].is_export ? "export" : "import",
                       contract->seams[k].name, contract->seams[k].function);
    for (size_t k = 0; k < contract->shared_count; k++)
      pl_buffer_printf(text, "  shared %s, %llu bytes\n", contract->shareds[k].name,
                       (unsigned long long)contract->shareds[k].bytes);
  }
}
