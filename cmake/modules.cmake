# perslay_module(NAME [USES modules...] [INTERNAL headers...] [GENERATED files...] [LINKS libraries...])
#
# One library per module, made of all .cpp files of its folder and of the files that the build generates for it. Headers
# for other modules are in include/perslay/NAME; they are installed, except INTERNAL ones (`*`: all). A module sees
# these headers of its own and of the modules it uses (and, transitively, of the modules these use), nothing else: each
# module has an include directory of its own in the build tree, which holds one link. Including a header of any other
# module does not compile.
function(perslay_module name)
  cmake_parse_arguments(MODULE "" "" "USES;INTERNAL;GENERATED;LINKS" ${ARGN})

  set(view "${PROJECT_BINARY_DIR}/modules/${name}")
  file(MAKE_DIRECTORY "${view}/perslay")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include/perslay/${name}" "${view}/perslay/${name}" SYMBOLIC)

  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  add_library(perslay_${name} ${sources} ${MODULE_GENERATED})
  add_library(perslay::${name} ALIAS perslay_${name})
  set_target_properties(perslay_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(perslay_${name} PUBLIC cxx_std_20)
  target_include_directories(perslay_${name} PUBLIC "$<BUILD_INTERFACE:${view}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  list(TRANSFORM MODULE_USES PREPEND perslay::)
  target_link_libraries(perslay_${name} PUBLIC ${MODULE_USES} PRIVATE ${MODULE_LINKS})
  perslay_strict(perslay_${name})
  set_property(GLOBAL APPEND PROPERTY PERSLAY_MODULES ${name})
  list(TRANSFORM MODULE_INTERNAL PREPEND "${name}/")
  set_property(GLOBAL APPEND PROPERTY PERSLAY_INTERNAL_HEADERS ${MODULE_INTERNAL})
endfunction()

# Warnings (errors in our own builds) and, where asked for, sanitizers.
function(perslay_strict target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast)
  if(PERSLAY_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(PERSLAY_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${PERSLAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${PERSLAY_SANITIZE})
  endif()
  if(PERSLAY_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# libtorch's headers take a compiler half a minute: once for a target instead of once for each of its files.
function(perslay_precompile_torch target)
  target_precompile_headers(${target} PRIVATE <torch/torch.h>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # lets ccache keep what includes them
  endif()
endfunction()
