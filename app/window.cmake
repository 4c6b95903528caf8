# loom_app_window: the window program (application, panels, overlays) that the subcommands view and shot show.
file(GLOB window_sources CONFIGURE_DEPENDS shell/*.cpp gui/*.cpp widgets/*.cpp files/*.cpp bench/window/*.cpp
  life/*.cpp life/panels/*.cpp life/picture/*.cpp mandelbrot/*.cpp mandelbrot/panels/*.cpp mandelbrot/picture/*.cpp)
add_library(loom_app_window STATIC ${window_sources})
loom_layer(loom_app_window app compute render)
target_precompile_headers(loom_app_window REUSE_FROM loom_bench)
include(${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
loom_embed(loom_app_window tour_text.h loom::app::embedded ${CMAKE_SOURCE_DIR}/assets/tour.toml)
find_package(tomlplusplus REQUIRED)
target_link_libraries(loom_app_window PRIVATE tomlplusplus::tomlplusplus)
target_link_libraries(loom_app_window PRIVATE loom_warnings loom_glad
  PUBLIC loom_bench loom_plot loom_compute loom_render loom_imgui nlohmann_json::nlohmann_json fmt::fmt)
