# Each layer of layers.txt is one library carom_<layer> (alias carom::<layer>) made of all sources below
# src/carom/<layer>/; a layer without .cc files is an INTERFACE library. The last line of the table, cli,
# is the application and no library.

set(CAROM_LAYER_TABLE ${PROJECT_SOURCE_DIR}/cmake/layers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CAROM_LAYER_TABLE})

# Precompiled headers are made once and shared; what they contain must be linked by every user.
#   carom_pch       for layers that compute: -O3
#   carom_text_pch  for what reads, writes and asks: -O1, which compiles in two thirds of the time
#   carom_test_pch  for tests: -O1 too (testing.cmake)
# Optimisation belongs to the headers: GCC compiles a source as its precompiled header was, whatever the source asks for.
function(carom_add_pch target)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK" ${ARGN})
  if(CAROM_PCH)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${target}.cc CONTENT "")
    add_library(${target} STATIC ${PROJECT_BINARY_DIR}/generated/${target}.cc)
    target_link_libraries(${target} PRIVATE ${arg_LINK})
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
    carom_optimise_for(${target} ${target})
  endif()
endfunction()

function(carom_use_pch target pch)
  if(CAROM_PCH)
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
  carom_optimise_for(${target} ${pch})
endfunction()

function(carom_optimise_for target pch)
  if(NOT pch STREQUAL carom_pch)
    # At -O1 GCC 12 thinks that what a copied variant does not hold may be used.
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1;-Wno-maybe-uninitialized>")
  endif()
endfunction()

set(CAROM_PCH_HEADERS
    <algorithm> <array> <cmath> <cstddef> <cstdint> <functional> <limits> <map> <memory> <optional> <span>
    <stdexcept> <string> <string_view> <utility> <variant> <vector> <Eigen/Dense> <Eigen/SparseCore>
    <fmt/format.h>)

# A layer as another build has made it, for builds that treat a few layers in their own way (fuzzing.cmake).
function(carom_import_layer layer build)
  add_library(carom_${layer} STATIC IMPORTED GLOBAL)
  set_target_properties(carom_${layer} PROPERTIES IMPORTED_LOCATION ${build}/libcarom_${layer}.a)
  add_library(carom::${layer} ALIAS carom_${layer})
  target_include_directories(carom_${layer} INTERFACE ${PROJECT_SOURCE_DIR}/src)
  foreach(third_party IN LISTS CAROM_LINKS_${layer})
    target_link_libraries(carom_${layer} INTERFACE ${third_party})
  endforeach()
  foreach(lower IN LISTS ARGN)
    target_link_libraries(carom_${layer} INTERFACE carom::${lower})
  endforeach()
endfunction()

set(CAROM_TEXT_LAYERS io study)

function(carom_add_layer layer)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/carom/${layer}/*.cc)
  if(CAROM_EXCLUDE_${layer})
    list(FILTER sources EXCLUDE REGEX ${CAROM_EXCLUDE_${layer}})
  endif()
  if(sources)
    carom_units(units carom_${layer} ${sources})
    add_library(carom_${layer} STATIC ${units})
    if(layer IN_LIST CAROM_TEXT_LAYERS)
      carom_use_pch(carom_${layer} carom_text_pch)
    else()
      carom_use_pch(carom_${layer} carom_pch)
    endif()
    set(scope PUBLIC)
  else()
    add_library(carom_${layer} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(carom::${layer} ALIAS carom_${layer})
  target_include_directories(carom_${layer} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  foreach(definition IN LISTS CAROM_DEFINES_${layer})
    target_compile_definitions(carom_${layer} PRIVATE ${definition})
  endforeach()
  foreach(third_party IN LISTS CAROM_LINKS_${layer})
    target_link_libraries(carom_${layer} ${scope} ${third_party})
  endforeach()
  foreach(lower IN LISTS ARGN)
    target_link_libraries(carom_${layer} ${scope} carom::${lower})
  endforeach()
endfunction()

# Parts of a layer that are a library of their own, for the program does without them (programs.cmake): published
# figures, and files of other programs. carom_add_apart(NAME LAYER PATTERN...), patterns from the layer's folder.
set(CAROM_EXCLUDE_study "/study/(reproduce/|reproduction\\.cc)")
set(CAROM_EXCLUDE_io "/io/(import|export)/")
function(carom_add_apart name layer)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/carom/${layer}/)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  carom_units(units carom_${name} ${sources})
  add_library(carom_${name} STATIC ${units})
  add_library(carom::${name} ALIAS carom_${name})
  carom_use_pch(carom_${name} carom_text_pch)
  target_link_libraries(carom_${name} PUBLIC carom::${layer})
endfunction()

function(carom_add_layers)
  carom_add_pch(carom_pch HEADERS ${CAROM_PCH_HEADERS} LINK Eigen3::Eigen fmt::fmt)
  # The argument parser takes longer to read than anything we wrote: once for all subcommands.
  carom_add_pch(carom_text_pch HEADERS ${CAROM_PCH_HEADERS} <nlohmann/json.hpp> <CLI/CLI.hpp>
                LINK Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
  file(STRINGS ${CAROM_LAYER_TABLE} rows REGEX "^[a-z]+:")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "^([a-z]+): *(.*)$" _ "${row}")
    set(layer ${CMAKE_MATCH_1})
    separate_arguments(lower UNIX_COMMAND "${CMAKE_MATCH_2}")
    if(CAROM_FUZZ AND NOT layer MATCHES "^(base|io|study|cli)$")
      carom_import_layer(${layer} ${CAROM_FUZZ_LIBRARIES} ${lower})
    elseif(NOT layer STREQUAL "cli")
      carom_add_layer(${layer} ${lower})
    endif()
  endforeach()
  carom_add_apart(exchange io import/*.cc export/*.cc)
  carom_add_apart(reproductions study reproduce/*.cc reproduction.cc)
endfunction()
