# Packs data files into an object file with .incbin, beside a table of names, so that the
# program carries its catalogue and runs from any folder.
# rigcast_embed(TARGET ROOT DIRECTORY...): every *.json below ROOT/DIRECTORY.

function(rigcast_embed target root)
  set(assembly "    .section .rodata\n")
  set(table "")
  set(index 0)
  set(files "")
  foreach(directory IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${root}/${directory}/*.json)
    list(APPEND files ${found})
  endforeach()
  list(SORT files)
  foreach(file IN LISTS files)
    file(RELATIVE_PATH name ${root} ${file})
    string(APPEND assembly
      "    .balign 8\nrigcast_file_${index}:\n    .incbin \"${file}\"\nrigcast_file_${index}_end:\n    .byte 0\n"
      "rigcast_name_${index}:\n    .string \"${name}\"\n")
    string(APPEND table
      "    .quad rigcast_name_${index}, rigcast_file_${index}, rigcast_file_${index}_end - rigcast_file_${index}\n")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND assembly
    "    .section .data.rel.ro,\"aw\"\n    .balign 8\n    .globl rigcast_embedded_files\nrigcast_embedded_files:\n${table}"
    "    .section .rodata\n    .balign 8\n    .globl rigcast_embedded_file_count\nrigcast_embedded_file_count:\n    .quad ${index}\n"
    "    .section .note.GNU-stack,\"\",@progbits\n")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.s)
  file(CONFIGURE OUTPUT ${output} CONTENT "${assembly}" @ONLY)
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE ${output})
endfunction()
