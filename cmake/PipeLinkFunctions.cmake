# Stages and kernels as build steps, for PipeLink's own examples and, through find_package(PipeLink), for everyone.
#
#   pipelink_add_stage(NAME SOURCES FILE... ARCHS ARCH... [HEADERS FILE...] [LIBRARIES FILE...] [FLAGS FLAG...]
#                      [PACK_FLAGS FLAG...])
#       NAME.plink: every source compiled for every GPU, with dependencies on the headers they include; HEADERS and
#       LIBRARIES go into the package, FLAGS to clang, PACK_FLAGS to pipelink pack.
#
#   pipelink_add_kernel(NAME STAGES STAGE... ARCH ARCH [CODEGEN nvvm|nvptx] [SCRIPT FILE] [FLAGS FLAG...])
#       NAME.cubin, NAME.launch.json, NAME.h and NAME.map: the stages (names of stage targets, or .plink files)
#       linked. FLAGS go to ld.pipelink.
#
#   pipelink_add_unit(NAME SOURCE FILE ARCH ARCH CODEGEN nvvm|nvptx|nvcc [FLAGS FLAG...])
#       NAME.cubin: one source that includes all stages and has a kernel entry written by hand, which a linked kernel
#       is compared with. By the same clang and back end as a linked one, or by nvcc. FLAGS go to the compiler.
#
# All files go to the current binary folder. Each function makes a target NAME that `all` builds; its property
# PIPELINK_FILE is the package's or cubin's path.

# Paths as the caller wrote them, made absolute.
function(pipelink_absolute result)
  set(paths "")
  foreach(path ${ARGN})
    get_filename_component(path "${path}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND paths "${path}")
  endforeach()
  set(${result} "${paths}" PARENT_SCOPE)
endfunction()

# Refuses arguments that nobody asked for and names those that are missing: pipelink_check_arguments(FUNCTION PREFIX NEEDED...)
function(pipelink_check_arguments function prefix)
  if(${prefix}_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}: what is '${${prefix}_UNPARSED_ARGUMENTS}'?")
  endif()
  foreach(needed ${ARGN})
    if(NOT ${prefix}_${needed})
      message(FATAL_ERROR "${function}: ${needed} is missing")
    endif()
  endforeach()
endfunction()

function(pipelink_add_target name file)
  add_custom_target(${name} ALL DEPENDS "${file}")
  set_target_properties(${name} PROPERTIES PIPELINK_FILE "${file}")
endfunction()

# A command that compiles `source` to `bitcode` and knows the headers it read.
function(pipelink_compile source bitcode arch)
  get_filename_component(name "${bitcode}" NAME)
  set(plugin "")
  if(NOT "--unit" IN_LIST ARGN AND TARGET PipeLinkClang)
    set(plugin PipeLinkClang)
  endif()
  add_custom_command(OUTPUT "${bitcode}"
    COMMAND PipeLink::pipelink cc --arch=${arch} ${ARGN} -MD -MF "${bitcode}.d" "${source}" -o "${bitcode}"
    DEPENDS "${source}" PipeLink::pipelink ${plugin} DEPFILE "${bitcode}.d"
    COMMENT "Compiling ${name}" VERBATIM)
endfunction()

function(pipelink_add_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 stage "" "" "SOURCES;ARCHS;HEADERS;LIBRARIES;FLAGS;PACK_FLAGS")
  pipelink_check_arguments("pipelink_add_stage(${name})" stage SOURCES ARCHS)
  pipelink_absolute(sources ${stage_SOURCES})
  pipelink_absolute(headers ${stage_HEADERS})
  pipelink_absolute(libraries ${stage_LIBRARIES})
  set(package "${CMAKE_CURRENT_BINARY_DIR}/${name}.plink")

  set(bitcodes "")
  foreach(arch ${stage_ARCHS})
    foreach(source ${sources})
      get_filename_component(stem "${source}" NAME_WE)
      set(bitcode "${CMAKE_CURRENT_BINARY_DIR}/${name}.${stem}.${arch}.bc")
      pipelink_compile("${source}" "${bitcode}" ${arch} ${stage_FLAGS})
      list(APPEND bitcodes "${bitcode}")
    endforeach()
  endforeach()
  list(TRANSFORM headers PREPEND "--header=" OUTPUT_VARIABLE header_options)
  list(TRANSFORM libraries PREPEND "--lib=" OUTPUT_VARIABLE library_options)
  add_custom_command(OUTPUT "${package}"
    COMMAND PipeLink::pipelink-pack ${stage_PACK_FLAGS} ${bitcodes} ${header_options} ${library_options} -o "${package}"
    DEPENDS ${bitcodes} ${headers} ${libraries} PipeLink::pipelink-pack
    COMMENT "Packing ${name}.plink" VERBATIM)
  pipelink_add_target(${name} "${package}")
endfunction()

function(pipelink_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 kernel "" "ARCH;CODEGEN;SCRIPT" "STAGES;FLAGS")
  pipelink_check_arguments("pipelink_add_kernel(${name})" kernel STAGES ARCH)
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${name}")

  set(packages "")
  foreach(stage ${kernel_STAGES})
    if(TARGET ${stage})
      get_target_property(package ${stage} PIPELINK_FILE)
    else()
      pipelink_absolute(package "${stage}")
    endif()
    list(APPEND packages "${package}")
  endforeach()
  set(options --arch=${kernel_ARCH})
  set(script "")
  if(kernel_CODEGEN)
    list(APPEND options --codegen=${kernel_CODEGEN})
  endif()
  if(kernel_SCRIPT)
    pipelink_absolute(script "${kernel_SCRIPT}")
    list(APPEND options "--script=${script}")
  endif()
  add_custom_command(OUTPUT "${base}.cubin" "${base}.launch.json" "${base}.h" "${base}.map"
    COMMAND PipeLink::ld.pipelink ${options} ${kernel_FLAGS} ${packages}
      -o "${base}.cubin" "--header=${base}.h" "-Map=${base}.map"
    DEPENDS ${packages} ${script} PipeLink::ld.pipelink
    COMMENT "Linking ${name}.cubin" VERBATIM)
  pipelink_add_target(${name} "${base}.cubin")
endfunction()

function(pipelink_add_unit name)
  cmake_parse_arguments(PARSE_ARGV 1 unit "" "SOURCE;ARCH;CODEGEN" "FLAGS")
  pipelink_check_arguments("pipelink_add_unit(${name})" unit SOURCE ARCH CODEGEN)
  pipelink_absolute(source "${unit_SOURCE}")
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  if(unit_CODEGEN STREQUAL nvcc)
    add_custom_command(OUTPUT "${base}.cubin"
      COMMAND "${PIPELINK_CUDA_ROOT}/bin/nvcc" -arch=${unit_ARCH} -std=c++17 -O3 -DNDEBUG -cubin
        "-I${PIPELINK_INCLUDE_DIR}" ${unit_FLAGS} -MD -MF "${base}.d" "${source}" -o "${base}.cubin"
      DEPENDS "${source}" DEPFILE "${base}.d"
      COMMENT "Compiling ${name}.cubin with nvcc" VERBATIM)
  else()
    pipelink_compile("${source}" "${base}.bc" ${unit_ARCH} --unit ${unit_FLAGS})
    add_custom_command(OUTPUT "${base}.cubin"
      COMMAND PipeLink::ld.pipelink --arch=${unit_ARCH} --codegen=${unit_CODEGEN} "--unit=${base}.bc" -o "${base}.cubin"
      DEPENDS "${base}.bc" PipeLink::ld.pipelink
      COMMENT "Generating ${name}.cubin" VERBATIM)
  endif()
  pipelink_add_target(${name} "${base}.cubin")
endfunction()
