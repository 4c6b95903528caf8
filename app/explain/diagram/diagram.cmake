# loom_diagram: what explains, as drawings that the window and files show alike. It paints nothing itself.
file(GLOB diagram_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_diagram STATIC ${diagram_sources})
loom_layer(loom_diagram app compute render)
target_compile_options(loom_diagram PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(loom_diagram PRIVATE loom_warnings PUBLIC loom_explain loom_compute fmt::fmt)

# The maps' own source, to be shown beside their steps.
include(${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
loom_embed(loom_diagram map_sources.h loom::app::diagram::embedded ${CMAKE_SOURCE_DIR}/compute/map/bounding_box.h
  ${CMAKE_SOURCE_DIR}/compute/geometry/transforms.h ${CMAKE_SOURCE_DIR}/compute/map/table_arithmetic.h
  ${CMAKE_SOURCE_DIR}/compute/map/tensor_cell_arithmetic.h
  ${CMAKE_SOURCE_DIR}/compute/cuda/warp/warp_arithmetic.cuh
  ${CMAKE_SOURCE_DIR}/compute/cuda/warp/tensor_arithmetic.cuh
  ${CMAKE_SOURCE_DIR}/compute/cuda/life/life_compact.cuh ${CMAKE_SOURCE_DIR}/compute/cuda/life/life_expanded.cuh)
