# loom_plot: figures from results, drawn with Cairo.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
file(GLOB plot_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_plot STATIC ${plot_sources})
loom_layer(loom_plot app compute)
target_compile_options(loom_plot PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(loom_plot PRIVATE loom_warnings PkgConfig::CAIRO PUBLIC loom_bench loom_diagram fmt::fmt)
