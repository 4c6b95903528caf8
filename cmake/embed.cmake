# Has embed_script.cmake write HEADER, a path below the target's private include root, with these definitions: again when one
# of the files changes.
function(loom_embed_by_script target header files)
  set(root ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  add_custom_command(
    OUTPUT ${root}/${header}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${root}/${header} ${ARGN} -P ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    COMMENT "Embedding ${header}"
    VERBATIM)
  target_sources(${target} PRIVATE ${root}/${header})
  target_include_directories(${target} PRIVATE ${root})
endfunction()

# loom_embed(TARGET HEADER NAMESPACE FILE...): turns text files into C++ string constants. HEADER gets one
# `inline constexpr std::string_view` a file in NAMESPACE, named after the file with dots and dashes as underscores:
# field.frag becomes field_frag.
function(loom_embed target header namespace)
  list(JOIN ARGN "|" files)
  loom_embed_by_script(${target} ${header} "${ARGN}" -DNAMESPACE=${namespace} -DFILES=${files})
endfunction()

# loom_embed_sources(TARGET HEADER NAMESPACE NAME INCLUDE ROOT FILE...): the same for files that know each other by their
# paths below ROOT: one array NAME of SourceFile, which is declared around NAMESPACE by the header INCLUDE.
function(loom_embed_sources target header namespace name include root)
  list(TRANSFORM ARGN PREPEND ${root}/ OUTPUT_VARIABLE full)
  list(JOIN ARGN "|" files)
  loom_embed_by_script(${target} ${header} "${full}" -DNAMESPACE=${namespace} -DNAME=${name} -DINCLUDE=${include}
    -DROOT=${root} -DFILES=${files})
endfunction()

# loom_embed_bytes(TARGET HEADER NAMESPACE [NAME FILE]...): puts files into the program as they are. HEADER (a path below
# the target's private include root) gets one `std::span<const unsigned char> NAME()` a file in NAMESPACE. The assembler
# takes the bytes in, which costs no time, unlike an array in C++. Made again when a file changes.
function(loom_embed_bytes target header namespace)
  set(root ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  get_filename_component(stem ${header} NAME_WE)
  set(declarations "")
  set(symbols "")
  set(definitions "")
  set(files "")
  while(ARGN)
    list(POP_FRONT ARGN name file)
    list(APPEND files ${file})
    set(symbol loom_embedded_${name})
    string(APPEND declarations "std::span<const unsigned char> ${name}();\n")
    string(APPEND symbols
      "__asm__(\".pushsection .rodata\\n\"\n"
      "        \".balign 16\\n\"\n"
      "        \".globl ${symbol}\\n.hidden ${symbol}\\n\"\n"
      "        \".globl ${symbol}_end\\n.hidden ${symbol}_end\\n\"\n"
      "        \"${symbol}:\\n.incbin \\\"${file}\\\"\\n${symbol}_end:\\n\"\n"
      "        \".popsection\\n\");\n"
      "extern \"C\" {\n"
      "[[gnu::visibility(\"hidden\")]] extern const unsigned char ${symbol}[];\n"
      "[[gnu::visibility(\"hidden\")]] extern const unsigned char ${symbol}_end[];\n"
      "}\n\n")
    string(APPEND definitions
      "std::span<const unsigned char> ${name}() { return {${symbol}, ${symbol}_end}; }\n")
  endwhile()
  file(CONFIGURE OUTPUT ${root}/${header} CONTENT
    "#pragma once\n\n#include <span>\n\nnamespace ${namespace} {\n\n${declarations}\n}  // namespace ${namespace}\n" @ONLY)
  set(source ${root}/${stem}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT
    "#include \"${header}\"\n\n${symbols}namespace ${namespace} {\n\n${definitions}\n}  // namespace ${namespace}\n" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE ${source})
  target_include_directories(${target} PRIVATE ${root})
endfunction()
