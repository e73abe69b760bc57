# cmake --install: the program, the libraries of all layers, their headers, and what find_package(carom) needs.
# The target carom::carom stands for all of them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

function(carom_install)
  add_library(carom INTERFACE)
  add_library(carom::carom ALIAS carom)
  target_link_libraries(carom INTERFACE carom::reproductions carom::exchange)
  target_compile_features(carom INTERFACE cxx_std_20)

  file(STRINGS ${CAROM_LAYER_TABLE} rows REGEX "^[a-z]+:")
  set(libraries carom carom_version carom_reproductions carom_exchange)
  set_target_properties(carom_reproductions PROPERTIES EXPORT_NAME reproductions)
  set_target_properties(carom_exchange PROPERTIES EXPORT_NAME exchange)
  foreach(row IN LISTS rows)
    string(REGEX REPLACE ":.*" "" layer "${row}")
    if(TARGET carom_${layer})
      list(APPEND libraries carom_${layer})
      set_target_properties(carom_${layer} PROPERTIES EXPORT_NAME ${layer})
    endif()
  endforeach()
  set_target_properties(carom_version PROPERTIES EXPORT_NAME version)

  install(TARGETS ${libraries} EXPORT carom_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  if(TARGET carom-cli)
    install(TARGETS carom-cli carom-study carom-reproduce RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  if(TARGET carom-mpi)
    install(TARGETS carom-mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  if(TARGET carom-python)
    install(TARGETS carom-python RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/python/carom DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/python)
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
  install(FILES ${PROJECT_BINARY_DIR}/generated/carom/base/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/carom/base)

  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
  install(EXPORT carom_targets NAMESPACE carom:: FILE carom-targets.cmake DESTINATION ${package})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/carom-config.cmake.in
                                ${PROJECT_BINARY_DIR}/generated/carom-config.cmake INSTALL_DESTINATION ${package})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/carom-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/generated/carom-config.cmake
                ${PROJECT_BINARY_DIR}/generated/carom-config-version.cmake DESTINATION ${package})
endfunction()
