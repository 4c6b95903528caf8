# loom_teach: what explains a map: a launch's threads, the steps of lambda and nu, what a warp does to memory. Views over
# compute's functions; it draws nothing. How numbers are written it shares with the window.
file(GLOB teach_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_teach STATIC ${teach_sources} ${CMAKE_CURRENT_LIST_DIR}/../text/format.cpp)
loom_layer(loom_teach app compute)
target_compile_options(loom_teach PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(loom_teach PRIVATE loom_warnings PUBLIC loom_compute fmt::fmt)
