# lit.cfg.py - what a test may use: substitutions and features. Values come from lit.site.cfg.py, written by CMake.
#
#   %pipelink %ld-pipelink %pipelink-cc   the programs under test (%pipelink-cc is `%pipelink cc`)
#   %codegen                              pipelink-codegen: one module through a back end, without packages
#   %clang %opt                           clang++ and opt of the LLVM PipeLink is built with
#   %plugin %optplugin                    PipeLinkClang.so for -fplugin=, PipeLinkOpt.so for -load-pass-plugin=
#   %include                              the device and host headers (runtime/include)
#   %cuda %ptxas %nvcc %nvdisasm %cutlass the CUDA toolkit's root, its tools, and the CUTLASS headers
#   %cc %python                           the C compiler and Python the build uses
#   %sarif-schema                         the JSON schema of SARIF 2.1.0, where cmake/setup.sh has put it
#   %test-programs                        folder of the programs made by pipelink_add_test_program()
#   %lib %project %build                  build/lib, the source tree, the build folder
#
# FileCheck, split-file, not and the other LLVM tools are on the PATH. RUN lines are run by bash, with pipefail.

import os
import re

import lit.formats
import lit.util

config.name = "PipeLink"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".cu", ".c", ".cpp", ".ll", ".test"]
config.excludes = ["CMakeLists.txt", "Inputs", "tools"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.pipelink_test_exec_root

# A hung test fails; it does not hang the run. The slowest honest test takes tens of seconds.
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 600 if config.pipelink_sanitize else 300

# Tests see this environment and nothing of the caller's: no CUDA_HOME, no LIBRARY_PATH, no stray locale.
config.environment = {
    "PATH": os.pathsep.join([config.llvm_tools_dir, "/usr/local/bin", "/usr/bin", "/bin"]),
    "HOME": config.test_exec_root,
    "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
    "LC_ALL": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "LLVM_DISABLE_CRASH_REPORT": "1",
}
if config.pipelink_sanitize:
    config.available_features.add("sanitizers")
    config.environment["ASAN_OPTIONS"] = "abort_on_error=0:detect_stack_use_after_return=1:strict_string_checks=1"
    vendors = os.path.join(config.test_source_root, "leaks-of-vendors.supp")
    config.environment["LSAN_OPTIONS"] = f"suppressions={vendors}:print_suppressions=0"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1"


def substitute(name, value):
    """A whole word: %pipelink does not touch %pipelink-cc."""
    config.substitutions.append((re.escape(name) + r"(?![A-Za-z0-9_-])", value))


substitute("%pipelink-cc", f"{config.pipelink_bin_dir}/pipelink cc")
substitute("%pipelink", f"{config.pipelink_bin_dir}/pipelink")
substitute("%ld-pipelink", f"{config.pipelink_bin_dir}/ld.pipelink")
substitute("%codegen", f"{config.pipelink_bin_dir}/pipelink-codegen")
substitute("%clang", config.clang)
substitute("%opt", config.opt)
substitute("%plugin", f"{config.pipelink_lib_dir}/PipeLinkClang.so")
substitute("%optplugin", f"{config.pipelink_lib_dir}/PipeLinkOpt.so")
substitute("%include", config.pipelink_include_dir)
substitute("%cuda", config.cuda_root)
substitute("%ptxas", f"{config.cuda_root}/bin/ptxas")
substitute("%cc", config.host_cc)
substitute("%python", config.python)
substitute("%test-programs", config.pipelink_test_programs_dir)
substitute("%lib", config.pipelink_lib_dir)
substitute("%project", config.pipelink_source_dir)
substitute("%build", config.pipelink_build_dir)

# Optional tools: a test that needs one says `REQUIRES: nvdisasm`.
for feature, path in [
    ("nvdisasm", config.nvdisasm),
    ("cuobjdump", config.cuobjdump),
    ("nvcc", os.path.join(config.cuda_root, "bin", "nvcc")),
    ("cutlass", config.cutlass_include_dir),
    ("clang-format", config.clang_format),
    ("sarif-schema", config.sarif_schema),
]:
    if path and os.path.exists(path):
        config.available_features.add(feature)
        substitute(f"%{feature}", path)


def has_gpu():
    import ctypes

    try:
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except (OSError, AttributeError):
        return False


if has_gpu():
    config.available_features.add("gpu")
