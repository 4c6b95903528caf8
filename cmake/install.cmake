# `cmake --install` puts down the program and what a desktop and a shell want to know of it; `cpack -G DEB` packs the
# same (scripts/package.sh). Everything that the program reads is inside of it.
include(GNUInstallDirs)
set(LOOM_MAINTAINER "Fractal Loom contributors <maintainers@fractal-loom.invalid>" CACHE STRING
  "Who answers for a package that is built here: NAME <ADDRESS>")
set(id org.fractal_loom.FractalLoom)
set(share ${CMAKE_INSTALL_DATADIR})
install(TARGETS fractal-loom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES packaging/${id}.desktop DESTINATION ${share}/applications)
install(FILES packaging/${id}.metainfo.xml DESTINATION ${share}/metainfo)
install(FILES packaging/${id}.svg DESTINATION ${share}/icons/hicolor/scalable/apps)
install(FILES packaging/${id}.mime.xml DESTINATION ${share}/mime/packages RENAME ${id}.xml)

# The program writes its own manual. Pages are compressed as man expects it.
set(manual ${CMAKE_BINARY_DIR}/manual)
install(CODE "
  file(REMOVE_RECURSE \"${manual}\")
  execute_process(COMMAND \"$<TARGET_FILE:fractal-loom>\" manual --out \"${manual}\" COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB pages \"${manual}/man/man1/*.1\")
  execute_process(COMMAND gzip -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${manual}/ DESTINATION ${share})

# The header library fractal_maps, which the program writes too, and its CMake package.
set(headers ${CMAKE_BINARY_DIR}/headers)
install(CODE "
  file(REMOVE_RECURSE \"${headers}\")
  execute_process(COMMAND \"$<TARGET_FILE:fractal-loom>\" export --headers \"${headers}\" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${headers}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
add_library(fractal_maps INTERFACE)
target_compile_features(fractal_maps INTERFACE cxx_std_17)
target_include_directories(fractal_maps INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS fractal_maps EXPORT FractalMapsConfig)
set(package ${CMAKE_INSTALL_DATADIR}/cmake/FractalMaps)
install(EXPORT FractalMapsConfig NAMESPACE FractalMaps:: DESTINATION ${package})
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/FractalMapsConfigVersion.cmake COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/FractalMapsConfigVersion.cmake DESTINATION ${package})

# Debian's notice and change log.
file(READ LICENSE license_text)
file(READ third_party/dejavu-license.txt font_text)
file(READ third_party/font-awesome-license.txt icon_text)
foreach(text license_text font_text icon_text)
  string(REGEX REPLACE "^MIT License\n+Copyright[^\n]*\n+" "" ${text} "${${text}}")
  string(STRIP "${${text}}" ${text})
  string(REGEX REPLACE "\n\n" "\n.\n" ${text} "${${text}}")
  string(REGEX REPLACE "\n\n" "\n.\n" ${text} "${${text}}")
  string(REGEX REPLACE "\n" "\n " ${text} " ${${text}}")
endforeach()
set(notices ${CMAKE_BINARY_DIR}/notices)
configure_file(packaging/copyright ${notices}/copyright @ONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(packaging/changelog ${notices}/changelog @ONLY)
install(CODE "execute_process(COMMAND gzip -9nfk \"${notices}/changelog\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${notices}/copyright ${notices}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fractal-loom)
set(CPACK_PACKAGE_CONTACT "${LOOM_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows how GPU threads are mapped onto fractals, live")
set(CPACK_PACKAGE_DESCRIPTION "Fractal Loom runs the game of life on self-similar fractals, and the
Mandelbrot set by subdivision, in every frame, and shows what each way to
map GPU threads onto them costs. Maps, storages, block sizes and methods are
switched live; overlays, timelines and lenses show what a thread does.

It runs on NVIDIA GPUs through CUDA, and in full on the CPU where there is
none.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Those that are found when they are wanted, not linked.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg")  # films; without it they are numbered pictures
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)
