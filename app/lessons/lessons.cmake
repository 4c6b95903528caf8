# loom_lessons: lessons without a window: what a file holds, expressions over the program's report, the state of play.
# How numbers are written it shares with the window, and so are the names of controls.
file(GLOB lessons_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_lessons STATIC ${lessons_sources} ${CMAKE_CURRENT_LIST_DIR}/../widgets/control.cpp)
loom_layer(loom_lessons app compute)
target_compile_options(loom_lessons PRIVATE $<$<CONFIG:Release>:-O1>)
include(${CMAKE_SOURCE_DIR}/cmake/embed.cmake)
file(GLOB lesson_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/assets/lessons/*.toml)
loom_embed(loom_lessons lesson_texts.h loom::app::embedded ${lesson_files})
find_package(tomlplusplus REQUIRED)
find_package(muparserx REQUIRED)
target_include_directories(loom_lessons SYSTEM PRIVATE ${muparserx_INCLUDE_DIRS})
target_link_libraries(loom_lessons PRIVATE loom_warnings tomlplusplus::tomlplusplus ${muparserx_LIBRARIES}
  PUBLIC loom_explain nlohmann_json::nlohmann_json fmt::fmt)
