# loom_bench: sweeps over the axes, sampling, the results format, and tables of settings as JSON. It prints nothing and reads no command line.
file(GLOB bench_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp ${CMAKE_CURRENT_LIST_DIR}/../settings/*.cpp)
add_library(loom_bench STATIC ${bench_sources})
loom_layer(loom_bench app compute)
# What takes time to run is in loom_compute; at -O3 the JSON library would be most of what the compiler optimizes.
target_compile_options(loom_bench PRIVATE $<$<CONFIG:Release>:-O1>)
target_link_libraries(loom_bench PRIVATE loom_warnings PUBLIC loom_files loom_compute nlohmann_json::nlohmann_json fmt::fmt)

# The commit that results name. The log of HEAD changes with every commit, and makes CMake ask again.
set(built_from unknown)
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(built_from ${described})
    execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --git-path logs/HEAD WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
      OUTPUT_VARIABLE head_log OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(REAL_PATH ${head_log} head_log BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${head_log})
  endif()
endif()
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/machine.cpp PROPERTIES
  COMPILE_DEFINITIONS "LOOM_BUILT_FROM=\"${built_from}\";LOOM_VERSION=\"${PROJECT_VERSION}\"")
