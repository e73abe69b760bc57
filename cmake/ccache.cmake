# ccache as compiler launcher, with what it needs to hit with precompiled headers and across clones.
find_program(CAROM_CCACHE_PROGRAM ccache)
mark_as_advanced(CAROM_CCACHE_PROGRAM)
if(CAROM_CCACHE AND CAROM_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_IGNOREOPTIONS=--param=ggc-min-heapsize=*  # changes no bit of what is compiled
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CAROM_CCACHE_PROGRAM})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
