# Finds LLVM and Clang of the one major version that PipeLink's plugins and passes are written for.
#
# Sets PIPELINK_LLVM_MAJOR, PIPELINK_CLANG, PIPELINK_OPT, PIPELINK_FILECHECK, and the interface targets PipeLink::LLVM
# (headers and libLLVM) and PipeLink::Clang (headers only: a plugin takes Clang's code from the clang it is loaded into).
set(PIPELINK_LLVM_MAJOR 22)
if(NOT DEFINED PIPELINK_LLVM_PLACES)
  set(PIPELINK_LLVM_PLACES /usr/lib/llvm-${PIPELINK_LLVM_MAJOR} /usr/local/llvm-${PIPELINK_LLVM_MAJOR})
endif()

# Every place that was looked at, one a line, for the messages.
set(looked_at "")
foreach(variable LLVM_DIR Clang_DIR CMAKE_PREFIX_PATH)
  if(${variable})
    string(APPEND looked_at "\n  ${variable}=${${variable}}")
  elseif(NOT "$ENV{${variable}}" STREQUAL "")
    string(APPEND looked_at "\n  ${variable}=$ENV{${variable}} (environment)")
  else()
    string(APPEND looked_at "\n  ${variable}: not set")
  endif()
endforeach()
foreach(place ${PIPELINK_LLVM_PLACES})
  string(APPEND looked_at "\n  ${place}")
endforeach()

# No version argument: LLVM's own version file accepts only an exact MAJOR.MINOR.
find_package(LLVM CONFIG QUIET HINTS "$ENV{LLVM_DIR}" PATHS ${PIPELINK_LLVM_PLACES})
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "LLVM ${PIPELINK_LLVM_MAJOR} not found. Looked at:${looked_at}\n"
    "Run cmake/setup.sh, or set LLVM_DIR to the folder of LLVMConfig.cmake.")
elseif(NOT LLVM_VERSION_MAJOR EQUAL PIPELINK_LLVM_MAJOR)
  message(FATAL_ERROR "LLVM ${LLVM_PACKAGE_VERSION} found in ${LLVM_DIR}, but PipeLink is written for LLVM "
    "${PIPELINK_LLVM_MAJOR}. Looked at:${looked_at}\nRun cmake/setup.sh, or set LLVM_DIR.")
endif()

find_package(Clang CONFIG QUIET HINTS "$ENV{Clang_DIR}" "${LLVM_DIR}/../clang" PATHS "${LLVM_INSTALL_PREFIX}")
if(NOT Clang_FOUND)
  message(FATAL_ERROR "Clang's development files not found beside LLVM ${LLVM_PACKAGE_VERSION}. Looked at:${looked_at}\n"
    "  ${LLVM_INSTALL_PREFIX}\nRun cmake/setup.sh, or set Clang_DIR to the folder of ClangConfig.cmake.")
endif()

find_program(PIPELINK_CLANG clang++ PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
find_program(PIPELINK_OPT opt PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
find_program(PIPELINK_FILECHECK FileCheck PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
foreach(program PIPELINK_CLANG PIPELINK_OPT PIPELINK_FILECHECK)
  if(NOT ${program})
    string(REGEX REPLACE "^PIPELINK_" "" name "${program}")
    message(FATAL_ERROR "${name} not found in ${LLVM_TOOLS_BINARY_DIR}. Run cmake/setup.sh.")
  endif()
endforeach()
execute_process(COMMAND "${PIPELINK_CLANG}" -dumpversion OUTPUT_VARIABLE clang_version OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT clang_version MATCHES "^${PIPELINK_LLVM_MAJOR}\\.")
  message(FATAL_ERROR "${PIPELINK_CLANG} is clang ${clang_version}, but PipeLink is written for clang ${PIPELINK_LLVM_MAJOR}.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}: ${LLVM_INSTALL_PREFIX}")

add_library(PipeLink::LLVM INTERFACE IMPORTED)
target_include_directories(PipeLink::LLVM SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(PipeLink::LLVM INTERFACE "${LLVM_LIBRARY_DIR}/libLLVM-${PIPELINK_LLVM_MAJOR}.so")
add_library(PipeLink::Clang INTERFACE IMPORTED)
target_include_directories(PipeLink::Clang SYSTEM INTERFACE ${CLANG_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
