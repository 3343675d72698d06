# cmake --install and find_package(rigcast).
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY RIGCAST_ROOMS)
install(TARGETS ${rooms} EXPORT rigcast ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS rigcast RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rigcast FILES_MATCHING PATTERN "*.h")
install(EXPORT rigcast NAMESPACE rigcast:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigcast FILE rigcastTargets.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/rigcastConfig.cmake.in ${PROJECT_BINARY_DIR}/rigcastConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigcast)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rigcastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rigcastConfig.cmake ${PROJECT_BINARY_DIR}/rigcastConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigcast)
