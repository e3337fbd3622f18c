# Files that the program carries: lhp_embed(TARGET SYMBOL FOLDER) compiles every file below FOLDER into a sorted
# table `const struct embedded SYMBOL[]` (base/embedded.h). A part of a path that starts with "dot-" stands for ".".
# As a script (cmake -P, with OUTPUT, SYMBOL, FOLDER) it writes that table.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE ${FOLDER} ${FOLDER}/*)
  list(SORT files)
  set(bytes "")
  set(rows "")
  set(i 0)
  foreach(file ${files})
    file(READ ${FOLDER}/${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," hex "${hex}")
    string(REGEX REPLACE "(^|/)dot-" "\\1." path ${file})
    string(APPEND bytes "static const char file_${i}[] = { ${hex} };\n")
    string(APPEND rows "\t{ STR_INIT(\"${path}\"), { file_${i}, sizeof file_${i} } },\n")
    math(EXPR i "${i} + 1")
  endforeach()
  file(WRITE ${OUTPUT} "#include \"base/embedded.h\"\n\n${bytes}\nconst struct embedded ${SYMBOL}[] = {\n${rows}\t{ { 0 }, { 0 } },\n};\n")
  return()
endif()

set(EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(lhp_embed target symbol folder)
  file(GLOB_RECURSE files LIST_DIRECTORIES false CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*)
  set(output ${CMAKE_BINARY_DIR}/${symbol}.c)
  add_custom_command(OUTPUT ${output} DEPENDS ${files} ${EMBED_SCRIPT}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${symbol} -DFOLDER=${CMAKE_SOURCE_DIR}/${folder} -P ${EMBED_SCRIPT}
    COMMENT "Embedding ${folder}")
  target_sources(${target} PRIVATE ${output})
endfunction()
