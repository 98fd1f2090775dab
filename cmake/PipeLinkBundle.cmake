# The GPU bundle: everything that is needed to check and time the examples on a machine with a GPU and a driver, and
# nothing else: no compiler, no LLVM, no toolkit. `ninja gpu-bundle` collects it in build/gpu-bundle/.
#
#   pipelink_bundle(NAME CHECK FILE [TARGETS TARGET...] [FILES FILE...] [FOLDERS DIR... DEPENDS TARGET...])
#       Adds examples/NAME/ to the bundle: the script CHECK as check.sh, the FILES, what the TARGETS make - programs,
#       and the cubins of pipelink_add_kernel (with their launch files) and pipelink_add_unit - and the files in the
#       FOLDERS once the targets of DEPENDS have filled them.
#       What check.sh may use is in gpu-bundle/functions.sh.
#
#   pipelink_add_bundle_target()
#       The target gpu-bundle, once all examples have been added.

set(PIPELINK_BUNDLE_SOURCE_DIR "${CMAKE_CURRENT_LIST_DIR}/gpu-bundle")

# kind: program, library, cubin, file or folder
function(pipelink_bundle_file kind destination source)
  set_property(GLOBAL APPEND PROPERTY PIPELINK_BUNDLE_FILES "${kind}|${destination}|${source}")
endfunction()

function(pipelink_bundle name)
  cmake_parse_arguments(PARSE_ARGV 1 bundle "" "CHECK" "TARGETS;FILES;FOLDERS;DEPENDS")
  if(bundle_UNPARSED_ARGUMENTS OR NOT bundle_CHECK)
    message(FATAL_ERROR "pipelink_bundle(${name}): expected CHECK FILE [TARGETS TARGET...] [FILES FILE...], "
      "got '${ARGN}'")
  endif()
  get_filename_component(check "${bundle_CHECK}" ABSOLUTE)
  pipelink_bundle_file(file "examples/${name}/check.sh" "${check}")
  foreach(file ${bundle_FILES})
    get_filename_component(file "${file}" ABSOLUTE)
    get_filename_component(base "${file}" NAME)
    pipelink_bundle_file(file "examples/${name}/${base}" "${file}")
  endforeach()
  foreach(folder ${bundle_FOLDERS})
    pipelink_bundle_file(folder "examples/${name}" "${folder}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY PIPELINK_BUNDLE_TARGETS ${bundle_DEPENDS})
  foreach(target ${bundle_TARGETS})
    set_property(GLOBAL APPEND PROPERTY PIPELINK_BUNDLE_TARGETS "${target}")
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      pipelink_bundle_file(program "examples/${name}/$<TARGET_FILE_NAME:${target}>" "$<TARGET_FILE:${target}>")
      # In the bundle its libraries lie two folders up; no path of this machine goes along.
      set_property(TARGET ${target} APPEND PROPERTY BUILD_RPATH "$ORIGIN/../../lib")
      set_property(TARGET ${target} PROPERTY BUILD_RPATH_USE_ORIGIN ON)
    else()
      get_target_property(cubin ${target} PIPELINK_FILE)
      get_filename_component(base "${cubin}" NAME)
      pipelink_bundle_file(cubin "examples/${name}/${base}" "${cubin}")
    endif()
  endforeach()
endfunction()

function(pipelink_add_bundle_target)
  pipelink_bundle_file(program "bin/pipelink" "$<TARGET_FILE:pipelink>")
  pipelink_bundle_file(library "lib/$<TARGET_SONAME_FILE_NAME:pipelink-runtime>"
    "$<TARGET_FILE:pipelink-runtime>")
  foreach(file run.sh functions.sh README)
    pipelink_bundle_file(file "${file}" "${PIPELINK_BUNDLE_SOURCE_DIR}/${file}")
  endforeach()
  get_property(files GLOBAL PROPERTY PIPELINK_BUNDLE_FILES)
  get_property(targets GLOBAL PROPERTY PIPELINK_BUNDLE_TARGETS)

  set(list "${CMAKE_BINARY_DIR}/gpu-bundle.list")
  list(JOIN files "\n" text)
  file(GENERATE OUTPUT "${list}" CONTENT "${text}\n")
  add_custom_target(gpu-bundle
    COMMAND "${CMAKE_COMMAND}" "-DLIST=${list}" "-DBUNDLE=${CMAKE_BINARY_DIR}/gpu-bundle"
      -P "${PIPELINK_BUNDLE_SOURCE_DIR}/collect.cmake"
    DEPENDS pipelink pipelink-runtime ${targets}
    COMMENT "Collecting build/gpu-bundle" VERBATIM)
endfunction()
