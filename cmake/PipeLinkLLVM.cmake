# Finds LLVM and Clang 22. Sets PIPELINK_LLVM_MAJOR, PIPELINK_CLANG, PIPELINK_OPT, PIPELINK_FILECHECK and the
# interface targets PipeLink::LLVM (C headers + libLLVM) and PipeLink::ClangHeaders.
set(PIPELINK_LLVM_MAJOR 22)
# No version argument: LLVM's own version file accepts only an exact MAJOR.MINOR.
find_package(LLVM CONFIG QUIET
  PATHS /usr/lib/llvm-${PIPELINK_LLVM_MAJOR} /usr/local/llvm-${PIPELINK_LLVM_MAJOR})
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL PIPELINK_LLVM_MAJOR)
  message(FATAL_ERROR "LLVM ${PIPELINK_LLVM_MAJOR} not found (found: ${LLVM_VERSION}). Tried LLVM_DIR='${LLVM_DIR}', CMAKE_PREFIX_PATH='${CMAKE_PREFIX_PATH}', "
    "/usr/lib/llvm-${PIPELINK_LLVM_MAJOR}, /usr/local/llvm-${PIPELINK_LLVM_MAJOR}. Run cmake/setup.sh, or set LLVM_DIR.")
endif()
find_package(Clang CONFIG QUIET PATHS "${LLVM_INSTALL_PREFIX}" HINTS "${LLVM_DIR}/../clang")
find_program(PIPELINK_CLANG clang++ PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
find_program(PIPELINK_OPT opt PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
find_program(PIPELINK_FILECHECK FileCheck PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
foreach(need PIPELINK_CLANG PIPELINK_OPT PIPELINK_FILECHECK)
  if(NOT ${need})
    message(FATAL_ERROR "${need} not found in ${LLVM_TOOLS_BINARY_DIR}. Run cmake/setup.sh.")
  endif()
endforeach()

add_library(PipeLink::LLVM INTERFACE IMPORTED)
target_include_directories(PipeLink::LLVM SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(PipeLink::LLVM INTERFACE "${LLVM_LIBRARY_DIR}/libLLVM-${PIPELINK_LLVM_MAJOR}.so")
