# robots/*.toml become part of the library, so that built-in robots need no files at run time.
#
#   include(cmake/embed_robots.cmake)
#   parid_embed_robots(parid)          # adds the generated source to the target
#
# Adding a robot is adding a file: the folder is looked at again on every build, and a changed file
# makes the source anew. The same file, run as a script (cmake -P), is what writes it.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(PARID_EMBED_ROBOTS "${CMAKE_CURRENT_LIST_FILE}")
  get_filename_component(PARID_ROBOTS_FOLDER "${CMAKE_CURRENT_LIST_DIR}/../robots" ABSOLUTE)

  function(parid_embed_robots target)
    set(output "${PROJECT_BINARY_DIR}/generated/embedded_robots.cpp")
    file(GLOB robots CONFIGURE_DEPENDS "${PARID_ROBOTS_FOLDER}/*.toml")
    string(SHA1 list "${robots}")  # in the command, so that a robot taken away makes it run too
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" "-DROBOTS=${PARID_ROBOTS_FOLDER}" "-DOUTPUT=${output}"
              "-DLIST=${list}" -P "${PARID_EMBED_ROBOTS}"
      DEPENDS ${robots} "${PARID_EMBED_ROBOTS}"
      COMMENT "Embedding robots/*.toml"
      VERBATIM)
    target_sources(${target} PRIVATE "${output}")
  endfunction()
  return()
endif()

# As a script: ROBOTS is the folder, OUTPUT the file to write. Compilers bound the length of one
# string literal (16 KB in one of them), so a long text is cut at line ends into neighbours that the
# compiler joins again.
set(piece_length 8000)
file(GLOB robots "${ROBOTS}/*.toml")
list(SORT robots)
set(texts "")
foreach(robot IN LISTS robots)
  get_filename_component(name "${robot}" NAME_WLE)
  file(READ "${robot}" text)
  string(FIND "${text}" ")toml\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${robot} contains )toml\", which would end its string literal")
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
file(WRITE "${OUTPUT}" "// Written by cmake/embed_robots.cmake from robots/*.toml.

#include \"model/format/embedded.hpp\"

namespace parid::model {

std::span<const EmbeddedRobot> embedded_robots() {
  static const EmbeddedRobot all[] = {
${texts}  };
  return all;
}

}  // namespace parid::model
")
