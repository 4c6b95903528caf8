# loom_layer(TARGET FOLDER...): TARGET may include "FOLDER/..." of the named top-level folders and of no others. Each
# folder gets an include root of its own, so that a forbidden #include does not compile.
function(loom_layer target)
  foreach(folder IN LISTS ARGN)
    set(root ${CMAKE_BINARY_DIR}/include/${folder})
    file(MAKE_DIRECTORY ${root})
    if(NOT EXISTS ${root}/${folder})
      file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${root}/${folder} SYMBOLIC)
    endif()
    target_include_directories(${target} PUBLIC ${root})
  endforeach()
endfunction()
