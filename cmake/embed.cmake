# Files compiled into the program, so that it needs no others at run time: the page of the viewer, the scenarios that `carom new`
# copies and reproductions run, and the library that `carom export MODEL fmu` puts into FMUs.

function(carom_embed_files target)
  file(GLOB templates CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenarios/*.toml ${PROJECT_SOURCE_DIR}/scenarios/gallery/*.toml
       ${PROJECT_SOURCE_DIR}/scenarios/benchmarks/*.toml)
  set(page ${PROJECT_SOURCE_DIR}/viewer/dist/page.html)
  set(library ${PROJECT_BINARY_DIR}/generated/fmi2.so)
  set(entries page.html=${page} fmi2.so=${library})
  foreach(template IN LISTS templates)
    get_filename_component(name ${template} NAME)
    list(APPEND entries templates/${name}=${template})
  endforeach()
  carom_make_fmi_library(${library})
  set(source ${PROJECT_BINARY_DIR}/generated/embedded_files.cc)
  add_custom_command(OUTPUT ${source} COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/embed.py ${source} ${entries}
                     DEPENDS ${page} ${library} ${templates} ${PROJECT_SOURCE_DIR}/cmake/embed.py VERBATIM COMMENT "Embedding page, templates and the library of FMUs")
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "-Wno-overlength-strings")
endfunction()

# One C file that needs the system's C library only. Always made for release: no sanitizer, nothing of the flags of the rest.
function(carom_make_fmi_library library)
  set(source ${PROJECT_SOURCE_DIR}/apps/fmi/fmi2.c)
  set(headers ${PROJECT_SOURCE_DIR}/apps/fmi/fmi2.h ${PROJECT_SOURCE_DIR}/src/carom/io/fmi/fmi_messages.h)
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_C_COMPILER} -std=gnu11 -O2 -fPIC -fvisibility=hidden -shared -s -Wall -Wextra -Wpedantic -Wshadow -Werror
            -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -I${PROJECT_SOURCE_DIR}/src -o ${library} ${source}
    DEPENDS ${source} ${headers} VERBATIM COMMENT "Building the library of FMUs")
endfunction()
