# The command line program and the benchmarks.

# Where MPI is installed the objects of carom-study make carom-mpi, which `carom sweep --mpi` becomes (apps/mpi).
set(CAROM_MPI AUTO CACHE STRING "The program carom-mpi for sweeps on ranks: AUTO (if MPI is installed), ON, OFF")
set_property(CACHE CAROM_MPI PROPERTY STRINGS AUTO ON OFF)

# carom_add_command_objects(NAME LIBRARY FILES...): objects of subcommands, with the headers of apps/carom.
function(carom_add_command_objects name library)
  carom_units(units ${name} ${ARGN})
  add_library(${name} OBJECT ${units})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/apps/carom ${PROJECT_SOURCE_DIR}/apps/studies)
  target_link_libraries(${name} PUBLIC ${library} CLI11::CLI11)
  carom_use_pch(${name} carom_cli_pch)
endfunction()

# carom_add_program(NAME "OBJECTS" FILES...): the objects are those of all it has; they do not come with each other.
function(carom_add_program name objects)
  carom_units(units ${name} ${ARGN})
  add_executable(${name} ${units})
  target_link_libraries(${name} PRIVATE ${objects})
  carom_use_pch(${name} carom_cli_pch)
endfunction()

# carom: what a first run needs. carom-study: with commands over many runs (apps/carom/study_commands.h). carom-reproduce: with
# published figures too (apps/carom/reproductions.h). Each has all objects of the one before.
function(carom_add_application)
  # The argument parser takes longer to read than anything we wrote: once for all subcommands.
  carom_add_pch(carom_cli_pch HEADERS ${CAROM_PCH_HEADERS} <nlohmann/json.hpp> <CLI/CLI.hpp>
                LINK Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
  set(apps ${PROJECT_SOURCE_DIR}/apps)
  file(GLOB sources CONFIGURE_DEPENDS ${apps}/carom/*.cc)
  carom_add_command_objects(carom_program carom::io ${sources})
  file(GLOB sources CONFIGURE_DEPENDS ${apps}/studies/*.cc)
  list(FILTER sources EXCLUDE REGEX elsewhere)
  carom_add_command_objects(carom_studies carom::study ${sources})

  carom_add_program(carom-cli carom_program ${apps}/studies/elsewhere.cc ${apps}/reproductions/elsewhere.cc)
  set_target_properties(carom-cli PROPERTIES OUTPUT_NAME carom)
  carom_add_program(carom-study "carom_program;carom_studies" ${apps}/mpi/without_mpi.cc ${apps}/reproductions/elsewhere.cc)
  carom_add_mpi_program()
  carom_add_program(carom-reproduce "carom_program;carom_studies" ${apps}/mpi/without_mpi.cc ${apps}/reproductions/here.cc
                    ${apps}/reproductions/reproduce.cc)
  target_link_libraries(carom-reproduce PRIVATE carom::reproductions)
endfunction()

function(carom_add_mpi_program)
  if(NOT CAROM_MPI OR CAROM_FUZZ)
    return()
  endif()
  find_package(MPI QUIET COMPONENTS C)
  if(NOT MPI_C_FOUND)
    if(CAROM_MPI STREQUAL "ON")
      message(FATAL_ERROR "MPI not found: install libopenmpi-dev, or set CAROM_MPI=AUTO")
    endif()
    message(STATUS "No MPI: sweeps run on threads only (libopenmpi-dev, CAROM_MPI=${CAROM_MPI})")
    return()
  endif()
  carom_add_program(carom-mpi "carom_program;carom_studies" ${PROJECT_SOURCE_DIR}/apps/mpi/with_mpi.cc
                    ${PROJECT_SOURCE_DIR}/apps/reproductions/elsewhere.cc)
  target_link_libraries(carom-mpi PRIVATE MPI::MPI_C)
  target_compile_definitions(carom-mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  add_dependencies(carom-study carom-mpi)
endfunction()

# benchmarks/<name>_bench.cc is the Google Benchmark program bench_<name>, benchmarks/<name>_table.cc a program
# table_<name> that prints a table of its own; `benchmarks` builds them all.
function(carom_add_benchmarks)
  add_custom_target(benchmarks)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    message(STATUS "Google Benchmark not found: no benchmarks")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*_bench.cc)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "_bench$" "" name ${name})
    add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
    target_include_directories(bench_${name} PRIVATE ${PROJECT_SOURCE_DIR}/benchmarks ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(bench_${name} PRIVATE carom::reproductions benchmark::benchmark_main)
    carom_use_pch(bench_${name} carom_pch)
    add_dependencies(benchmarks bench_${name})
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*_table.cc)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "_table$" "" name ${name})
    add_executable(table_${name} EXCLUDE_FROM_ALL ${source})
    target_include_directories(table_${name} PRIVATE ${PROJECT_SOURCE_DIR}/benchmarks)
    target_link_libraries(table_${name} PRIVATE carom::study)
    carom_use_pch(table_${name} carom_pch)
    add_dependencies(benchmarks table_${name})
  endforeach()
endfunction()
