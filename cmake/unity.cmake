# CAROM_UNITY joins the sources of a target into fewer translation units (unity.py). A build from nothing takes about
# half of the time; a build after a change of one file takes longer, so developers may switch it off.
option(CAROM_UNITY "Compile several sources as one: faster from nothing, slower after a small change" ON)
set(CAROM_UNITY_LINES 2500 CACHE STRING "Lines of source in one translation unit")

# carom_units(OUT TARGET SOURCE...): what TARGET compiles. Units name their sources from the root of the project, so
# that they are the same in every clone.
function(carom_units out target)
  set(${out} ${ARGN} PARENT_SCOPE)
  if(NOT CAROM_UNITY)
    return()
  endif()
  set(script ${PROJECT_SOURCE_DIR}/cmake/unity.py)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN} ${script})
  list(TRANSFORM ARGN REPLACE ^${PROJECT_SOURCE_DIR}/ "")
  execute_process(COMMAND ${CAROM_PYTHON} ${script} ${PROJECT_BINARY_DIR}/generated/unity/${target} ${CAROM_UNITY_LINES}
                          ${ARGN}
                  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE units OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" units "${units}")
  # A name of one source does not shadow a local one of the next.
  set_source_files_properties(${units} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}
                                                  COMPILE_OPTIONS "-Wno-shadow;-Wshadow=local")
  set(${out} ${units} PARENT_SCOPE)
endfunction()
