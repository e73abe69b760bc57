# Each layer of layers.txt is one library carom_<layer> (alias carom::<layer>) made of all sources below
# src/carom/<layer>/; a layer without .cc files is an INTERFACE library. The last line of the table, cli,
# is the application and no library.

set(CAROM_LAYER_TABLE ${PROJECT_SOURCE_DIR}/cmake/layers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CAROM_LAYER_TABLE})

# Precompiled headers are made once and shared; what they contain must be linked by every user.
function(carom_add_pch target)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK" ${ARGN})
  if(CAROM_PCH)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${target}.cc CONTENT "")
    add_library(${target} STATIC ${PROJECT_BINARY_DIR}/generated/${target}.cc)
    target_link_libraries(${target} PRIVATE ${arg_LINK})
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
  endif()
endfunction()

function(carom_use_pch target pch)
  if(CAROM_PCH)
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
endfunction()

set(CAROM_PCH_HEADERS
    <algorithm> <array> <cmath> <cstddef> <cstdint> <functional> <limits> <map> <memory> <optional> <span>
    <stdexcept> <string> <string_view> <utility> <variant> <vector> <Eigen/Dense> <Eigen/SparseCore>
    <fmt/format.h>)

function(carom_add_layer layer)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/carom/${layer}/*.cc)
  if(CAROM_EXCLUDE_${layer})
    list(FILTER sources EXCLUDE REGEX ${CAROM_EXCLUDE_${layer}})
  endif()
  if(sources)
    add_library(carom_${layer} STATIC ${sources})
    carom_use_pch(carom_${layer} carom_pch)
    set(scope PUBLIC)
  else()
    add_library(carom_${layer} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(carom::${layer} ALIAS carom_${layer})
  target_include_directories(carom_${layer} ${scope} ${PROJECT_SOURCE_DIR}/src)
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

function(carom_add_layers)
  carom_add_pch(carom_pch HEADERS ${CAROM_PCH_HEADERS} LINK Eigen3::Eigen fmt::fmt)
  file(STRINGS ${CAROM_LAYER_TABLE} rows REGEX "^[a-z]+:")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "^([a-z]+): *(.*)$" _ "${row}")
    set(layer ${CMAKE_MATCH_1})
    separate_arguments(lower UNIX_COMMAND "${CMAKE_MATCH_2}")
    if(NOT layer STREQUAL "cli")
      carom_add_layer(${layer} ${lower})
    endif()
  endforeach()
endfunction()
