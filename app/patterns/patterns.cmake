# loom_patterns: patterns and rules without a window: what their files hold, where a pattern falls, which cells a rectangle has.
file(GLOB patterns_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_patterns STATIC ${patterns_sources})
loom_layer(loom_patterns app compute)
target_link_libraries(loom_patterns PRIVATE loom_warnings PUBLIC loom_compute fmt::fmt)
include(${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
file(GLOB pattern_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/assets/patterns/*.rle)
loom_embed(loom_patterns pattern_texts.h loom::app::embedded ${pattern_files})
