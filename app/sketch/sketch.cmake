# loom_sketch: what explains, as drawings that the window and files show alike. It paints nothing itself.
file(GLOB sketch_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_sketch STATIC ${sketch_sources})
loom_layer(loom_sketch app compute)
target_compile_options(loom_sketch PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(loom_sketch PRIVATE loom_warnings PUBLIC loom_teach loom_compute fmt::fmt)
