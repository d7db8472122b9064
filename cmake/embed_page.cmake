# web/ becomes the page of `parid report` and a part of the library, so that an installed Parid
# needs no npm.
#
#   include(cmake/embed_page.cmake)
#   parid_embed_page(parid)          # adds the generated source to the target
#
# Packages are fetched once and the page is bundled when something in web/ has changed. If npm is
# absent or cannot reach its registry, the page of web/plain is used, which states this; WORK/plain
# then has the reason, and removing the generated source tries again. The same file does the work if
# it is run as a script (cmake -P).

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(PARID_EMBED_PAGE "${CMAKE_CURRENT_LIST_FILE}")
  get_filename_component(PARID_WEB_FOLDER "${CMAKE_CURRENT_LIST_DIR}/../web" ABSOLUTE)

  function(parid_embed_page target)
    set(work "${PROJECT_BINARY_DIR}/web")
    set(output "${PROJECT_BINARY_DIR}/generated/embedded_page.cpp")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PARID_WEB_FOLDER}/*")
    list(FILTER sources EXCLUDE REGEX "/node_modules/")
    string(SHA1 list "${sources}")  # in the command, so that a file taken away makes it run too
    add_custom_command(
      OUTPUT "${output}"
      BYPRODUCTS "${work}/page.html"
      COMMAND "${CMAKE_COMMAND}" "-DWEB=${PARID_WEB_FOLDER}" "-DWORK=${work}" "-DOUTPUT=${output}"
              "-DPAGE=${PARID_PAGE}" "-DLIST=${list}" -P "${PARID_EMBED_PAGE}"
      DEPENDS ${sources} "${PARID_EMBED_PAGE}"
      COMMENT "The page of parid report"
      VERBATIM)
    target_sources(${target} PRIVATE "${output}")
  endfunction()
  return()
endif()

# ---- as a script ---------------------------------------------------------------------------------

function(bundle problem)
  set(${problem} "" PARENT_SCOPE)
  if(PAGE STREQUAL "plain")
    set(${problem} "it was asked for" PARENT_SCOPE)
    return()
  endif()
  find_program(NODE NAMES node nodejs)
  find_program(NPM npm)
  if(NOT NODE OR NOT NPM)
    set(${problem} "node and npm were not there when Parid was built" PARENT_SCOPE)
    return()
  endif()
  foreach(part src page.html build.mjs package.json package-lock.json .npmrc)
    file(REMOVE_RECURSE "${WORK}/${part}")
    file(COPY "${WEB}/${part}" DESTINATION "${WORK}")
  endforeach()
  file(SHA1 "${WEB}/package-lock.json" wanted)
  set(got "")
  if(EXISTS "${WORK}/node_modules/.parid")
    file(READ "${WORK}/node_modules/.parid" got)
  endif()
  if(NOT got STREQUAL wanted)
    execute_process(
      COMMAND "${NPM}" ci --omit=dev --ignore-scripts --no-audit --no-fund --no-progress
              --fetch-retries=1 --fetch-timeout=30000
      WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE words TIMEOUT
      300)
    if(failed)
      string(REGEX MATCH "npm error[^\n]*\n[^\n]*" words "${words}")
      message(STATUS "${words}")
      set(${problem} "npm could not fetch its packages when Parid was built" PARENT_SCOPE)
      return()
    endif()
    file(WRITE "${WORK}/node_modules/.parid" "${wanted}")
  endif()
  execute_process(COMMAND "${NODE}" build.mjs WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed
                  ERROR_VARIABLE words)
  if(failed)
    message(FATAL_ERROR "web/build.mjs: ${words}")
  endif()
endfunction()

file(MAKE_DIRECTORY "${WORK}")
bundle(problem)
file(REMOVE "${WORK}/plain")
if(problem)
  file(READ "${WEB}/plain/page.html" page)
  string(REPLACE "@WHY_PLAIN@" "${problem}" page "${page}")
  file(WRITE "${WORK}/page.html" "${page}")
  file(WRITE "${WORK}/plain" "${problem}\n")
  message(STATUS
          "The page of parid report is the plain one: ${problem}; remove ${OUTPUT} to try again")
endif()

# Compilers bound the length of one string literal, so the text is cut into neighbours, which the
# compiler joins again. The page is ASCII: no cut goes through a letter.
file(READ "${WORK}/page.html" text)
string(FIND "${text}" ")page\"" clash)
if(NOT clash EQUAL -1)
  message(FATAL_ERROR "${WORK}/page.html contains )page\", which would end its string literal")
endif()
set(piece_length 15000)
string(LENGTH "${text}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} ${piece_length} piece)
  string(APPEND pieces "\nR\"page(${piece})page\"")
  math(EXPR at "${at} + ${piece_length}")
endwhile()
file(WRITE "${OUTPUT}" "// Written by cmake/embed_page.cmake from web/.

#include \"report/embedded_page.hpp\"

namespace parid::report {

std::string_view embedded_page() {
  static const char page[] =${pieces};
  return {page, sizeof page - 1};
}

}  // namespace parid::report
")
