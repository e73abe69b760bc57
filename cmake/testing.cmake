# tests/<folder>/*_test.cc      -> test_<folder>       label quick
# tests/<folder>/*_slow_test.cc -> test_<folder>_slow  label slow
# tests/cli, library, viewer, docs: *.sh, *.py -> one test each, label slow if "_slow" is in the name; _helpers.* are not tests; exit 77: skipped
#
# A folder named after a layer is linked with that layer and what lies below, any other folder with everything.
# Other .cc files of a folder are compiled into both of its programs. Tests run in the source directory, with
# CAROM (the program, for the cli folder and batteries) and CAROM_SOURCE in the environment.
#
# wrapped_symbols.txt of a folder lists functions of the libraries that the linker replaces in its programs (ld --wrap).

find_package(GTest REQUIRED)
include(GoogleTest)

# Slow tests first, also before any test was ever timed: else one of them is left alone at the end, on one core.
set(CAROM_COST_slow 20)
set(CAROM_COST_quick 0)
set(CAROM_TEST_SECONDS 1500)
if(CAROM_SANITIZE)
  set(CAROM_TEST_SECONDS 6000)
endif()

set(CAROM_BINARY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/carom)

set(CAROM_LEAKS "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks_of_others.supp:print_suppressions=0")

function(carom_add_test_program name label libraries)
  string(REGEX REPLACE "^test_" "" prefix ${name})
  carom_units(units ${name} ${ARGN})
  add_executable(${name} ${units})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${libraries} carom_test_support GTest::gtest_main)
  carom_use_pch(${name} carom_test_pch)
  set(wrapped ${PROJECT_SOURCE_DIR}/tests/${folder}/wrapped_symbols.txt)
  if(EXISTS ${wrapped})
    file(STRINGS ${wrapped} symbols REGEX "^_")
    list(TRANSFORM symbols PREPEND "LINKER:--wrap=")
    target_link_options(${name} PRIVATE ${symbols})
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${wrapped})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES TEST_PREFIX ${prefix}. WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    PROPERTIES LABELS ${label} COST ${CAROM_COST_${label}} TIMEOUT ${CAROM_TEST_SECONDS} ENVIRONMENT CAROM_SOURCE=${PROJECT_SOURCE_DIR}
               ENVIRONMENT_MODIFICATION CAROM=set:${CAROM_BINARY})
endfunction()

function(carom_add_test_folder folder)
  file(GLOB shared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cc)
  set(quick ${shared})
  set(slow ${shared})
  list(FILTER shared EXCLUDE REGEX "_test\\.cc$")
  list(FILTER slow INCLUDE REGEX "_slow_test\\.cc$")
  list(FILTER quick INCLUDE REGEX "_test\\.cc$")
  list(FILTER quick EXCLUDE REGEX "_slow_test\\.cc$")
  set(library carom::reproductions)
  if(TARGET carom_${folder} AND NOT folder STREQUAL "study")
    set(library carom::${folder})
  endif()
  if(folder STREQUAL "io")
    list(APPEND library carom::exchange)
  endif()
  if(folder STREQUAL "schemes" OR folder STREQUAL "simulation")
    list(APPEND library carom::model)  # a test may step a model; the layer may not know one
  endif()
  if(quick)
    carom_add_test_program(test_${folder} quick "${library}" ${quick} ${shared})
  endif()
  if(slow)
    carom_add_test_program(test_${folder}_slow slow "${library}" ${slow} ${shared})
  endif()
endfunction()

function(carom_add_script_tests folder)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.sh ${PROJECT_SOURCE_DIR}/tests/${folder}/*.py)
  list(FILTER scripts EXCLUDE REGEX "/_[^/]*$")
  foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME)
    set(label quick)
    if(name MATCHES "_slow")
      set(label slow)
    endif()
    set(interpreter bash)
    if(name MATCHES "\\.py$")
      set(interpreter ${CAROM_PYTHON})
    endif()
    set(scratch ${PROJECT_BINARY_DIR}/tests/${folder}.${name})
    file(MAKE_DIRECTORY ${scratch})
    add_test(NAME ${folder}.${name} COMMAND ${interpreter} ${script} WORKING_DIRECTORY ${scratch})
    set_tests_properties(${folder}.${name} PROPERTIES LABELS ${label} COST ${CAROM_COST_${label}} TIMEOUT ${CAROM_TEST_SECONDS} SKIP_RETURN_CODE 77
      ENVIRONMENT "CAROM=${CAROM_BINARY};CAROM_SOURCE=${PROJECT_SOURCE_DIR};CAROM_SANITIZE=${CAROM_SANITIZE};${CAROM_LEAKS}")
  endforeach()
endfunction()

# What the how-tos show compiles.
function(carom_add_snippets)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/howto/*.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages})
  execute_process(COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/snippets.py ${PROJECT_SOURCE_DIR}
                          ${PROJECT_BINARY_DIR}/generated/howto
                  OUTPUT_VARIABLE snippets COMMAND_ERROR_IS_FATAL ANY)
  add_library(howto_snippets OBJECT ${snippets})
  target_link_libraries(howto_snippets PRIVATE carom::model)
  carom_use_pch(howto_snippets carom_pch)
endfunction()

function(carom_add_tests)
  carom_add_snippets()
  add_library(carom_test_support INTERFACE)
  target_include_directories(carom_test_support INTERFACE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(carom_test_support INTERFACE GTest::gtest GTest::gmock)
  carom_add_pch(carom_test_pch HEADERS ${CAROM_PCH_HEADERS} <gtest/gtest.h> <gmock/gmock.h>
                LINK Eigen3::Eigen fmt::fmt GTest::gtest GTest::gmock)

  file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/*)
  foreach(folder IN LISTS folders)
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/tests/${folder})
      carom_add_test_folder(${folder})
    endif()
  endforeach()
  carom_add_script_tests(cli)
  carom_add_script_tests(library)
  carom_add_script_tests(viewer)
  carom_add_script_tests(docs)
  carom_add_script_tests(python)

  add_test(NAME layers COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/check_layers.py ${PROJECT_SOURCE_DIR})
  add_test(NAME message_codes COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/check_message_codes.py ${PROJECT_SOURCE_DIR})
  add_test(NAME casts COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/check_casts.py ${PROJECT_SOURCE_DIR})
  add_test(NAME format COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/check_format.py ${PROJECT_SOURCE_DIR})
  add_test(NAME names COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/check_names.py ${PROJECT_SOURCE_DIR})
  add_test(NAME names_self_test COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/check_names.py --self-test)
  set_tests_properties(layers message_codes casts format names names_self_test PROPERTIES LABELS quick)
  set_tests_properties(format PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
