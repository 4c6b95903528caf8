# loom_files: file formats, and the one way in which a file is written. It knows no window.
file(GLOB files_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(loom_files STATIC ${files_sources})
loom_layer(loom_files app compute)
find_package(tomlplusplus REQUIRED)
target_link_libraries(loom_files PRIVATE loom_warnings tomlplusplus::tomlplusplus PUBLIC loom_compute fmt::fmt)
