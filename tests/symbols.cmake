# Code compiled for one instruction set must keep a name of its own, or the linker merges it with
# the same template compiled for another, and an older CPU meets instructions it lacks. So every
# weak function in a kernel's object file must carry the set's name.
#
#   cmake -DNM=nm -DAVX2=a.o;b.o -DAVX512=c.o;d.o -P symbols.cmake
#
# Data may be merged: type information, tables of virtual functions, references to the personality.

set(checked 0)
set(shared "")
foreach(set_name IN ITEMS Avx2 Avx512)
  string(TOLOWER ${set_name} file)
  string(TOUPPER ${set_name} objects)
  set(objects ${${objects}})
  list(LENGTH objects count)
  if(NOT count EQUAL 8)  # one per family: a new one is checked too, once it is counted here
    message(FATAL_ERROR
            "expected the object files of eight families of kernels for ${file}, found: ${objects}")
  endif()
  execute_process(COMMAND ${NM} -C --defined-only ${objects} OUTPUT_VARIABLE names
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE ";" "," names "${names}")
  string(REGEX REPLACE "[][]" "|" names "${names}") # brackets would join the items of a list
  string(REGEX REPLACE "\n" ";" names "${names}")
  foreach(line IN LISTS names)
    if(NOT line MATCHES "^[0-9a-f]+ [WVui] (.*)$")
      continue()
    endif()
    set(name "${CMAKE_MATCH_1}")
    if(name MATCHES "^(typeinfo|typeinfo name|vtable) for |^DW\\.ref\\.")
      continue()
    endif()
    math(EXPR checked "${checked} + 1")
    if(NOT name MATCHES "parid::scalar::${set_name}[^a-zA-Z0-9_]")
      string(APPEND shared "\n  ${file}: ${name}")
    endif()
  endforeach()
endforeach()

if(NOT shared STREQUAL "")
  message(FATAL_ERROR
          "these functions are compiled for one instruction set but not named after it:${shared}")
endif()
if(checked LESS 20)
  message(FATAL_ERROR "only ${checked} weak functions were found; did nm read the right files?")
endif()
message(STATUS "${checked} weak functions, each named after its instruction set")
