# Writes the build facts of `parid --version` to HEADER, and touches it only if they have changed.
# Runs at every build, so that the commit is the one that was built.
#
#   cmake -DHEADER=… -DSOURCE=… -DCOMPILER=… -DBUILD_TYPE=… -P build_facts.cmake

execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE
                failed)
if(failed)
  set(commit "")  # a tarball
endif()
set(text "#pragma once
inline constexpr const char* build_commit = \"${commit}\";
inline constexpr const char* build_compiler = \"${COMPILER}\";
inline constexpr const char* build_type = \"${BUILD_TYPE}\";
")
set(before "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${HEADER} "${text}")
endif()
