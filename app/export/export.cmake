# loom_export: programs and headers for others, written from the sources of this program.
file(GLOB export_code CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_export STATIC ${export_code})
loom_layer(loom_export app compute)
target_compile_options(loom_export PRIVATE $<$<CONFIG:Release>:-O1>)
include(${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
# The sources of what export writes: the definitions of maps, storages and rules that the program itself uses.
loom_embed_sources(loom_export export_sources.h loom::app::exporting::embedded kSources app/export/source_trim.h ${CMAKE_SOURCE_DIR}
  compute/core/host_device.h compute/core/error.h compute/core/coord.h compute/core/integer_math.h compute/core/fast_divisor.h
  compute/core/load_whole.h compute/core/word_intrinsics.h app/export/message.in
  compute/geometry/nbb_shape.h compute/geometry/nbb_fractal.h compute/geometry/nbb_fractal.cpp compute/geometry/nbb_catalog.h
  compute/geometry/nbb_catalog.cpp compute/geometry/transforms.h compute/geometry/tiled_fractal.h compute/geometry/tiled_fractal.cpp
  compute/geometry/canonical_order.h compute/geometry/storage.h compute/geometry/solid_fractal.h compute/geometry/solid_fractal.cpp
  compute/map/map_method.h compute/map/shuffle_arithmetic.h compute/map/intra_block_mapping.h compute/map/thread_map.h
  compute/map/bounding_box.h compute/map/loop_arithmetic.h compute/map/table_arithmetic.h compute/map/table_arithmetic.cpp
  compute/map/turned_arithmetic.h compute/map/turned_arithmetic.cpp compute/solid/solid_map.h compute/solid/solid_map.cpp
  compute/solid/solid_config.h compute/solid/solid_config.cpp compute/workload/game_of_life.h compute/workload/life_neighbours.h
  compute/workload/larger_life.h compute/workload/random_start.h compute/workload/random_start.cpp)
loom_embed(loom_export export_texts.h loom::app::exporting::embedded ${CMAKE_SOURCE_DIR}/app/export/life.in
  ${CMAKE_SOURCE_DIR}/app/export/library.in ${CMAKE_SOURCE_DIR}/app/export/equations.in ${CMAKE_SOURCE_DIR}/LICENSE)
target_link_libraries(loom_export PRIVATE loom_warnings PUBLIC loom_compute fmt::fmt)
