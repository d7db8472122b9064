# One target per layer of the library, and which layers it may use.
#
#   parid_layer(graph
#               HOLDS "Computations as data …"
#               USES scalar
#               SOURCES graph.cpp simplify.cpp
#               HEADERS parid/engine.hpp        # public headers that this layer implements
#               LIBRARIES Eigen3::Eigen)        # private to its sources
#
# The target is parid_LAYER. A source may include headers of its own layer, of the layers in USES, and of those
# that they use. tests/architecture/layers checks every include against these declarations and writes the
# picture in ARCHITECTURE.md from them; cmake passes them on in build/layers.txt.

set_property(GLOBAL PROPERTY PARID_LAYERS "")

function(parid_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "HOLDS" "USES;SOURCES;HEADERS;LIBRARIES")
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
    set(scope PUBLIC)
    target_link_libraries(parid_${name} PRIVATE parid_sources_options ${layer_LIBRARIES})
  else()
    add_library(parid_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(parid_${name} ${scope} ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
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
