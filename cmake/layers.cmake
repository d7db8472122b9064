# One target per layer of the library, and which layers it may use.
#
#   parid_layer(graph
#               HOLDS "Computations as data …"
#               USES scalar
#               SOURCES graph.cpp simplify.cpp
#               BATCH 20                        # sources per compilation; 10 unless told
#               ALONE simplify.cpp              # not compiled in one batch with others
#               COMPILED_FAST                   # -O1 in release builds: it runs once per robot
#               EVALUATES                       # -O3 in release builds: it runs once per sample;
#                                               the others have -O2
#               HEADERS parid/engine.hpp        # public headers that this layer implements
#               LIBRARIES Eigen3::Eigen)        # private to its sources
#
# The target is parid_LAYER. A source may include headers of its own layer, of the layers in USES,
# and of those that they use. tests/architecture/layers checks every include against these
# declarations and writes the picture in ARCHITECTURE.md from them; cmake passes them on in
# build/layers.txt.

set_property(GLOBAL PROPERTY PARID_LAYERS "")

# libparid.so exports only what PARID_EXPORT marks.
function(parid_hide_symbols target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN
                        ON)
endfunction()

# Several sources per compilation: headers are read and templates instantiated once per batch. Names
# in anonymous namespaces of one layer must therefore differ (commands and claims have a namespace
# each); sources in ALONE are compiled by themselves.
option(PARID_BATCHES "Compile the sources of each layer in batches; OFF: each on its own" ON)
function(parid_in_batches target size)  # those in ARGN alone
  if(PARID_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # it takes a batch's sources for headers
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
endfunction()

function(parid_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "COMPILED_FAST;EVALUATES" "HOLDS;BATCH" "USES;SOURCES;ALONE;HEADERS;LIBRARIES")
  if(DEFINED layer_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "parid_layer(${name}): unknown arguments ${layer_UNPARSED_ARGUMENTS}")
  endif()
  set_property(GLOBAL APPEND PROPERTY PARID_LAYERS ${name})
  string(REPLACE ";" " " uses "${layer_USES}")
  string(REPLACE ";" " " headers "${layer_HEADERS}")
  set_property(GLOBAL APPEND_STRING PROPERTY PARID_LAYERS_TEXT
               "${name}|${CMAKE_CURRENT_SOURCE_DIR}|${uses}|${headers}|${layer_HOLDS}\n")
  if(layer_SOURCES)
    add_library(parid_${name} OBJECT ${layer_SOURCES})
    parid_hide_symbols(parid_${name})
    if(layer_COMPILED_FAST)
      target_link_libraries(parid_${name} PRIVATE parid_compiled_fast)
    elseif(NOT layer_EVALUATES)
      target_link_libraries(parid_${name} PRIVATE parid_compiled_well)
    endif()
    if(NOT layer_BATCH)
      set(layer_BATCH 10)
    endif()
    parid_in_batches(parid_${name} ${layer_BATCH} ${layer_ALONE})
    set(scope PUBLIC)
    target_link_libraries(parid_${name} PRIVATE parid_sources_options ${layer_LIBRARIES})
  else()
    add_library(parid_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(parid_${name} ${scope} ${PROJECT_SOURCE_DIR}/include
                             ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(parid_${name} ${scope} fmt::fmt)
  foreach(used IN LISTS layer_USES)
    if(NOT TARGET parid_${used})
      message(FATAL_ERROR "parid_layer(${name}): there is no layer '${used}' below it")
    endif()
    target_link_libraries(parid_${name} ${scope} parid_${used})
  endforeach()
endfunction()

# The objects of all layers so far, for libraries that are made of them.
function(parid_layer_objects variable)
  get_property(layers GLOBAL PROPERTY PARID_LAYERS)
  set(objects "")
  foreach(layer IN LISTS layers)
    get_target_property(kind parid_${layer} TYPE)
    if(kind STREQUAL "OBJECT_LIBRARY")
      list(APPEND objects $<TARGET_OBJECTS:parid_${layer}>)
    endif()
  endforeach()
  set(${variable} "${objects}" PARENT_SCOPE)
endfunction()

function(parid_write_layers file)
  get_property(text GLOBAL PROPERTY PARID_LAYERS_TEXT)
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
endfunction()
