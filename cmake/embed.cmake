# Files compiled into the program, so that it needs no others at run time: the page of the viewer, and the scenarios that `carom new`
# copies.

function(carom_embed_files target)
  file(GLOB templates CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenarios/*.toml ${PROJECT_SOURCE_DIR}/scenarios/gallery/*.toml)
  set(page ${PROJECT_SOURCE_DIR}/viewer/dist/page.html)
  set(entries page.html=${page})
  foreach(template IN LISTS templates)
    get_filename_component(name ${template} NAME)
    list(APPEND entries templates/${name}=${template})
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/generated/embedded_files.cc)
  add_custom_command(OUTPUT ${source} COMMAND ${CAROM_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/embed.py ${source} ${entries}
                     DEPENDS ${page} ${templates} ${PROJECT_SOURCE_DIR}/cmake/embed.py VERBATIM COMMENT "Embedding page and templates")
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "-Wno-overlength-strings")
endfunction()
