# `cmake --install` and find_package(perslay): every module as perslay::<module>, and perslay::perslay for all that need
# no libtorch. find_package(perslay COMPONENTS nn) adds those that do. Internal headers are not installed.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY PERSLAY_MODULES)
list(REMOVE_ITEM modules nn)
add_library(perslay_perslay INTERFACE)
add_library(perslay::perslay ALIAS perslay_perslay)
set_target_properties(perslay_perslay PROPERTIES EXPORT_NAME perslay)
set(targets perslay_perslay)
foreach(module IN LISTS modules)
  target_link_libraries(perslay_perslay INTERFACE perslay::${module})
  list(APPEND targets perslay_${module})
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/perslay)
install(TARGETS ${targets} EXPORT perslayTargets)
install(EXPORT perslayTargets NAMESPACE perslay:: DESTINATION ${package_dir})
if(PERSLAY_NN)
  install(TARGETS perslay_nn EXPORT perslayNnTargets)
  install(EXPORT perslayNnTargets NAMESPACE perslay:: DESTINATION ${package_dir})
  install(FILES cmake/libtorch.cmake DESTINATION ${package_dir})
endif()
get_property(absent GLOBAL PROPERTY PERSLAY_INTERNAL_HEADERS)
list(TRANSFORM absent REPLACE "/[*]$" "")
if(NOT PERSLAY_NN)
  list(APPEND absent nn)
endif()
list(TRANSFORM absent REPLACE "(.+)" "PATTERN;perslay/\\1;EXCLUDE")
install(DIRECTORY include/perslay DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${absent})
if(PERSLAY_CLI)
  install(TARGETS perslay)
endif()

configure_package_config_file(cmake/perslayConfig.cmake.in ${PROJECT_BINARY_DIR}/perslayConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/perslayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/perslayConfig.cmake ${PROJECT_BINARY_DIR}/perslayConfigVersion.cmake
              cmake/dependencies.cmake DESTINATION ${package_dir})
