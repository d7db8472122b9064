# The TOML files of a folder become part of the library, so that they need no files at run time:
# robots/ are the built-in robots, targets/ the machines that `parid design` compares.
#
#   include(cmake/embed_texts.cmake)
#   parid_embed_texts(parid_model robots model EmbeddedRobot model/format/embedded.hpp)
#
# adds a generated source to the target: a function embedded_FOLDER() of namespace parid::LAYER,
# which returns a span of TYPE {name, text}, declared in HEADER.
#
# Adding a robot or a target is adding a file: the folder is looked at again on every build, and a
# changed file makes the source anew. The same file, run as a script (cmake -P), is what writes it.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(PARID_EMBED_TEXTS "${CMAKE_CURRENT_LIST_FILE}")
  get_filename_component(PARID_EMBED_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

  function(parid_embed_texts target folder layer type header)
    set(output "${PROJECT_BINARY_DIR}/generated/embedded_${folder}.cpp")
    file(GLOB texts CONFIGURE_DEPENDS "${PARID_EMBED_ROOT}/${folder}/*.toml")
    string(SHA1 list "${texts}")  # in the command, so that a file taken away makes it run too
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${PARID_EMBED_ROOT}/${folder}" "-DNAME=${folder}"
              "-DLAYER=${layer}" "-DTYPE=${type}" "-DHEADER=${header}" "-DOUTPUT=${output}"
              "-DLIST=${list}" -P "${PARID_EMBED_TEXTS}"
      DEPENDS ${texts} "${PARID_EMBED_TEXTS}"
      COMMENT "Embedding ${folder}/*.toml"
      VERBATIM)
    target_sources(${target} PRIVATE "${output}")
  endfunction()
  return()
endif()

# As a script. Compilers bound the length of one string literal (16 KB in one of them), so a long
# text is cut at line ends into neighbours that the compiler joins again.
set(piece_length 8000)
file(GLOB files "${FOLDER}/*.toml")
list(SORT files)
set(texts "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WLE)
  file(READ "${file}" text)
  string(FIND "${text}" ")toml\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${file} contains )toml\", which would end its string literal")
  endif()
  string(APPEND texts "    {\"${name}\",")
  string(LENGTH "${text}" length)
  while(length GREATER piece_length)
    string(SUBSTRING "${text}" ${piece_length} -1 tail)
    string(FIND "${tail}" "\n" line_end)
    if(line_end EQUAL -1)
      break()
    endif()
    math(EXPR cut "${piece_length} + ${line_end} + 1")
    string(SUBSTRING "${text}" 0 ${cut} piece)
    string(SUBSTRING "${text}" ${cut} -1 text)
    string(APPEND texts "\nR\"toml(${piece})toml\"")
    string(LENGTH "${text}" length)
  endwhile()
  string(APPEND texts "\nR\"toml(${text})toml\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Written by cmake/embed_texts.cmake from ${NAME}/*.toml.

#include \"${HEADER}\"

namespace parid::${LAYER} {

std::span<const ${TYPE}> embedded_${NAME}() {
  static const ${TYPE} all[] = {
${texts}  };
  return all;
}

}  // namespace parid::${LAYER}
")
