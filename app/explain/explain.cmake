# loom_explain: what explains a map: a launch's threads, the steps of lambda and nu, what a warp does to memory. Views over
# compute's functions; it draws nothing. How numbers are written it shares with the window.
file(GLOB explain_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_explain STATIC ${explain_sources} ${CMAKE_CURRENT_LIST_DIR}/../text/format.cpp)
loom_layer(loom_explain app compute)
target_compile_options(loom_explain PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(loom_explain PRIVATE loom_warnings PUBLIC loom_compute glm::glm fmt::fmt)
