# The template API: formulations, number types and what they include, for programs with number types
# of their own. Target parid::templates, component templates, under include/parid-templates/. It
# changes with any version: no ABI or API promise.
#
# Installed are these headers and all that they include; none needs another library.
set(parid_template_headers
    dynamics/articulated_body.hpp dynamics/coriolis.hpp dynamics/energy.hpp dynamics/mass_matrix.hpp
    formulation/all.hpp model/canonical_model.hpp model/user_state.hpp scalar/counted.hpp
    scalar/dual.hpp)

set(found "")
set(open ${parid_template_headers})
while(open)
  list(POP_FRONT open header)
  if(header IN_LIST found OR NOT EXISTS ${PROJECT_SOURCE_DIR}/src/${header})
    continue()  # the others are public headers
  endif()
  list(APPEND found ${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${PROJECT_SOURCE_DIR}/src/${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" used "${line}")
    list(APPEND open ${used})
  endforeach()
endwhile()
foreach(header IN LISTS found)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/parid-templates/${folder}
          COMPONENT templates)
endforeach()

add_library(parid_templates INTERFACE)
set_target_properties(parid_templates PROPERTIES EXPORT_NAME templates)
target_link_libraries(parid_templates INTERFACE parid)
target_include_directories(parid_templates INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/parid-templates>)
add_library(parid::templates ALIAS parid_templates)
