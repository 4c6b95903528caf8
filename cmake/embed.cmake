# loom_embed(TARGET HEADER NAMESPACE FILE...): turns text files into C++ string constants. HEADER (a path below the
# target's private include root) gets one `inline constexpr std::string_view` a file in NAMESPACE, named after the
# file with dots and dashes as underscores: field.frag becomes field_frag. Made again when a file changes.
function(loom_embed target header namespace)
  set(root ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  list(JOIN ARGN "|" files)
  add_custom_command(
    OUTPUT ${root}/${header}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${root}/${header} -DNAMESPACE=${namespace} -DFILES=${files}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    COMMENT "Embedding ${header}"
    VERBATIM)
  target_sources(${target} PRIVATE ${root}/${header})
  target_include_directories(${target} PRIVATE ${root})
endfunction()
