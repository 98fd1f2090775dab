# What `cmake --install` puts where, and the package that find_package(PipeLink) finds. An install prefix has the layout
# that the programs expect: bin/ (programs), lib/ (plugins, libpipelink), include/pipelink/ (headers).
include(CMakePackageConfigHelpers)

install(TARGETS ${PIPELINK_PROGRAMS} EXPORT PipeLinkTargets RUNTIME DESTINATION bin)
install(TARGETS pipelink-runtime EXPORT PipeLinkTargets LIBRARY DESTINATION lib INCLUDES DESTINATION include)
install(FILES "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/PipeLinkClang.so" "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/PipeLinkOpt.so"
  DESTINATION lib) # named by path, never linked
install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/include/pipelink" DESTINATION include FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION share/doc/pipelink)

install(EXPORT PipeLinkTargets NAMESPACE PipeLink:: DESTINATION lib/cmake/PipeLink)
configure_package_config_file(cmake/PipeLinkConfig.cmake.in "${PROJECT_BINARY_DIR}/PipeLinkConfig.cmake"
  INSTALL_DESTINATION lib/cmake/PipeLink)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/PipeLinkConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/PipeLinkConfig.cmake" "${PROJECT_BINARY_DIR}/PipeLinkConfigVersion.cmake"
  cmake/PipeLinkFunctions.cmake DESTINATION lib/cmake/PipeLink)
