# loom_sketch: what explains, as drawings that the window and files show alike. It paints nothing itself.
file(GLOB sketch_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_sketch STATIC ${sketch_sources})
loom_layer(loom_sketch app compute)
target_compile_options(loom_sketch PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(loom_sketch PRIVATE loom_warnings PUBLIC loom_teach loom_compute fmt::fmt)

# The maps' own source, to be shown beside their steps.
include(${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
loom_embed(loom_sketch map_sources.h loom::app::sketch::embedded ${CMAKE_SOURCE_DIR}/compute/map/bounding_box.h
  ${CMAKE_SOURCE_DIR}/compute/geometry/transforms.h ${CMAKE_SOURCE_DIR}/compute/map/table_arithmetic.h
  ${CMAKE_SOURCE_DIR}/compute/map/tensor_cell_arithmetic.h
  ${CMAKE_SOURCE_DIR}/compute/cuda/warp/warp_arithmetic.cuh
  ${CMAKE_SOURCE_DIR}/compute/cuda/warp/tensor_arithmetic.cuh)
