# loom_app_window: the window program (application, panels, overlays) that the subcommands view and shot show.
file(GLOB window_sources CONFIGURE_DEPENDS document/scene/*.cpp document/scene/window/*.cpp document/image/*.cpp document/image/window/*.cpp document/video/*.cpp document/video/window/*.cpp document/bookmarks/window/*.cpp documentation/*.cpp documentation/window/*.cpp code/*.cpp code/window/*.cpp shell/*.cpp tasks/*.cpp gui/*.cpp widgets/*.cpp lessons/window/*.cpp plot/window/*.cpp palette/*.cpp palette/window/*.cpp
  program/workspace_formats.cpp program/report_fields.cpp workspaces/solid/*.cpp workspaces/solid/scene/*.cpp workspaces/solid/panels/*.cpp workspaces/solid/document/*.cpp workspaces/solid/draw/*.cpp workspaces/solid/panes/*.cpp workspaces/life/*.cpp workspaces/life/code/*.cpp workspaces/life/draw/*.cpp workspaces/life/edit/*.cpp workspaces/life/scene/*.cpp workspaces/life/panes/*.cpp workspaces/life/run/*.cpp workspaces/life/panels/*.cpp workspaces/life/picture/*.cpp workspaces/life/document/*.cpp workspaces/mandelbrot/*.cpp workspaces/mandelbrot/scene/*.cpp workspaces/mandelbrot/panels/*.cpp workspaces/mandelbrot/panes/*.cpp workspaces/mandelbrot/picture/*.cpp workspaces/mandelbrot/document/*.cpp workspaces/benchmark/*.cpp)
list(FILTER window_sources EXCLUDE REGEX "widgets/control\\.cpp$")  # it is in loom_lessons
add_library(loom_app_window STATIC ${window_sources})
loom_layer(loom_app_window app compute render)
# Without it, GLFW includes the system's OpenGL header, which glad does not allow.
target_compile_definitions(loom_app_window PUBLIC GLFW_INCLUDE_NONE)
# Most of a frame is spent in Dear ImGui, OpenGL and compute: -O3 takes a third longer to compile and no frame gets shorter.
target_compile_options(loom_app_window PRIVATE $<$<CONFIG:Release>:-O1>)
# Most of what is compiled is headers: of Dear ImGui, JSON and fmt, and what they instantiate.
target_precompile_headers(loom_app_window PRIVATE <imgui.h> <nlohmann/json.hpp> <fmt/format.h> <filesystem> <functional>)
loom_embed(loom_app_window tour_text.h loom::app::embedded ${CMAKE_SOURCE_DIR}/assets/tour.toml)

# The pages of the documentation are part of the program.
file(GLOB documentation_pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/docs/*.md ${CMAKE_SOURCE_DIR}/docs/*/*.md)
loom_embed_sources(loom_app_window documentation_pages.h loom::app::documentation::embedded kPages app/documentation/page.h
  ${CMAKE_SOURCE_DIR} README.md ${documentation_pages} CONTRIBUTING.md CHANGELOG.md)

# So are its pictures. `documentation_picture_list.inc` has a line for each.
file(GLOB_RECURSE documentation_pictures CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/docs/images/*.png)
set(named_pictures "")
set(picture_list "")
foreach(picture ${documentation_pictures})
  string(MAKE_C_IDENTIFIER ${picture} name)
  list(APPEND named_pictures ${name} ${CMAKE_SOURCE_DIR}/${picture})
  string(APPEND picture_list "LOOM_PICTURE(\"${picture}\", ${name})\n")
endforeach()
loom_embed_bytes(loom_app_window documentation_pictures.h loom::app::documentation::embedded ${named_pictures})
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/embedded/documentation_picture_list.inc CONTENT "${picture_list}" @ONLY)

# The window's fonts are part of the program: the system's files are read when it is built, none when it runs.
find_path(LOOM_DEJAVU DejaVuSans-Bold.ttf DOC "The folder of DejaVuSans.ttf, DejaVuSans-Bold.ttf and DejaVuSansMono.ttf" NO_DEFAULT_PATH
  PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/TTF /usr/share/fonts/dejavu-sans-fonts /usr/share/fonts/dejavu)
if(NOT LOOM_DEJAVU)
  message(FATAL_ERROR "DejaVuSans.ttf was not found. On Debian and Ubuntu it is in the package fonts-dejavu-core; "
    "elsewhere name its folder: -DLOOM_DEJAVU=FOLDER")
endif()
find_path(LOOM_INTER Inter-SemiBold.otf DOC "The folder of Inter-Regular.otf and Inter-SemiBold.otf" NO_DEFAULT_PATH
  PATHS /usr/share/fonts/opentype/inter /usr/share/fonts/inter /usr/share/fonts/OTF)
if(NOT LOOM_INTER)
  message(FATAL_ERROR "Inter-SemiBold.otf was not found. On Debian and Ubuntu it is in the package fonts-inter; "
    "elsewhere name its folder: -DLOOM_INTER=FOLDER")
endif()
find_path(LOOM_FONT_AWESOME fontawesome-webfont.ttf DOC "The folder of fontawesome-webfont.ttf, Font Awesome 4" NO_DEFAULT_PATH
  PATHS /usr/share/fonts/truetype/font-awesome /usr/share/fonts-font-awesome/fonts /usr/share/fonts/TTF /usr/share/fonts/fontawesome)
if(NOT LOOM_FONT_AWESOME)
  message(FATAL_ERROR "fontawesome-webfont.ttf was not found. On Debian and Ubuntu it is in the package fonts-font-awesome; "
    "elsewhere name its folder: -DLOOM_FONT_AWESOME=FOLDER")
endif()
loom_embed_bytes(loom_app_window font_files.h loom::app::embedded
  inter_regular ${LOOM_INTER}/Inter-Regular.otf inter_semi_bold ${LOOM_INTER}/Inter-SemiBold.otf
  dejavu_sans ${LOOM_DEJAVU}/DejaVuSans.ttf dejavu_sans_bold ${LOOM_DEJAVU}/DejaVuSans-Bold.ttf
  dejavu_sans_mono ${LOOM_DEJAVU}/DejaVuSansMono.ttf font_awesome ${LOOM_FONT_AWESOME}/fontawesome-webfont.ttf)
loom_embed(loom_app_window font_license.h loom::app::embedded ${CMAKE_SOURCE_DIR}/third_party/dejavu-license.txt
  ${CMAKE_SOURCE_DIR}/third_party/font-awesome-license.txt ${CMAKE_SOURCE_DIR}/third_party/inter-license.txt)
find_package(tomlplusplus REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(md4c REQUIRED IMPORTED_TARGET md4c)
target_link_libraries(loom_app_window PRIVATE tomlplusplus::tomlplusplus PkgConfig::zstd PkgConfig::md4c)
target_link_libraries(loom_app_window PRIVATE loom_warnings
  PUBLIC loom_glad loom_files loom_bench loom_plot loom_lessons loom_exercises loom_export loom_diagram loom_patterns loom_compute loom_render loom_imgui nlohmann_json::nlohmann_json fmt::fmt)
