# Flags of every target. Bits matter: no fast-math, no contraction, no -march.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")  # -O3 unrolls the small kernels of base
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g -D_GLIBCXX_ASSERTIONS")

# -fno-math-errno changes no value: it only lets sqrt be one instruction.
# Relative file names make builds of different clones the same (and ccache hit).
add_compile_options(-ffp-contract=off -fno-math-errno -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler clears up its memory from 800 MB on instead of 128: an eighth of its time, a third more memory.
  add_compile_options(--param=ggc-min-heapsize=800000)
  # GCC 12 sees overlapping copies, and at -O3 copies out of bounds, in innocent string concatenations.
  add_compile_options(-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()

if(CAROM_SANITIZE)
  add_compile_options(-O1 -g1 -fno-omit-frame-pointer -fsanitize=${CAROM_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CAROM_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # instrumented Eigen kernels confuse the flow analysis
    add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endif()
