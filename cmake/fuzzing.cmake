# tests/fuzz/<name>_fuzz.cc is one entry point LLVMFuzzerTestOneInput; its seeds lie in tests/fuzz/corpus/<name>/.
#
# Always: replay_<name>, the entry point with a plain driver that runs the seeds and a fixed stream of mutations of them;
# the quick test fuzz.<name>. With CAROM_FUZZ (the preset `fuzz`, clang): fuzz_<name>, the same under libFuzzer, the layers base and io,
# which read, with address and undefined behaviour sanitizers, the others as the preset `release` has built them: a tenth
# of the time. The test fuzz.libfuzzer makes that build and lets each program run for some seconds; it has the label fuzz, and
# `./carom test --fuzz` runs it: the build takes longer than all other tests together.

option(CAROM_FUZZ "Build libFuzzer programs of tests/fuzz (clang only)" OFF)
set(CAROM_FUZZ_LIBRARIES ${PROJECT_SOURCE_DIR}/build/release CACHE PATH "Where the libraries of the other layers are")
if(CAROM_FUZZ)
  add_compile_options(-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
                      -Wno-error -Wno-everything)
  add_link_options(-fsanitize=address,undefined)
endif()

function(carom_add_fuzz_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cc)
  add_custom_target(fuzzers)
  if(NOT CAROM_FUZZ)
    add_library(carom_fuzz_replay OBJECT ${PROJECT_SOURCE_DIR}/tests/fuzz/replay.cc)
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" name ${name})
    if(CAROM_FUZZ)
      add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
      target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
      target_link_libraries(fuzz_${name} PRIVATE carom::io)
      target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
      carom_use_pch(fuzz_${name} carom_text_pch)
      add_dependencies(fuzzers fuzz_${name})
    else()
      add_executable(replay_${name} ${source} $<TARGET_OBJECTS:carom_fuzz_replay>)
      set_target_properties(replay_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
      target_link_libraries(replay_${name} PRIVATE carom::io)
      target_include_directories(replay_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
      carom_use_pch(replay_${name} carom_text_pch)
      add_test(NAME fuzz.${name} COMMAND replay_${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}
               WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
      set_tests_properties(fuzz.${name} PROPERTIES LABELS quick TIMEOUT 600 ENVIRONMENT "${CAROM_LEAKS}")
    endif()
  endforeach()
  if(NOT CAROM_FUZZ AND NOT CAROM_SANITIZE)
    add_test(NAME fuzz.libfuzzer COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/fuzz/libfuzzer_slow.py 10)
    set_tests_properties(fuzz.libfuzzer PROPERTIES LABELS fuzz TIMEOUT 3600 SKIP_RETURN_CODE 77
      ENVIRONMENT "CAROM_SOURCE=${PROJECT_SOURCE_DIR}")
  endif()
endfunction()
