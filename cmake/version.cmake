# carom/base/version.h and the tiny library behind it. Included by the project, it defines the library;
# run as a script at each build (-P), it rewrites the values if they changed.
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND git rev-parse --short=10 HEAD WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE failed
                  OUTPUT_VARIABLE CAROM_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(failed)
    set(CAROM_COMMIT unknown)
  else()
    execute_process(COMMAND git status --porcelain -- src apps WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND CAROM_COMMIT "+")
    endif()
  endif()
  configure_file(${SOURCE}/cmake/version.cc.in ${OUTPUT} @ONLY)
  return()
endif()

set(generated ${PROJECT_BINARY_DIR}/generated)
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${generated}/carom/base/version.h COPYONLY)
add_custom_target(carom_version_values
  BYPRODUCTS ${generated}/version.cc
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${generated}/version.cc
          -DCAROM_VERSION=${PROJECT_VERSION}
          "-DCAROM_COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
          "-DCAROM_BUILD_TYPE=${CMAKE_BUILD_TYPE}" -P ${PROJECT_SOURCE_DIR}/cmake/version.cmake
  COMMENT "Checking the commit" VERBATIM)
add_library(carom_version STATIC ${generated}/version.cc)
add_library(carom::version ALIAS carom_version)
add_dependencies(carom_version carom_version_values)
target_include_directories(carom_version PUBLIC $<BUILD_INTERFACE:${generated}>)
