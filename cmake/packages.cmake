# Debian packages by CPack: `./run package`, or cpack in a build whose prefix is /usr.
#
#   parid          the program, manual pages, completions       component program
#   libparid1      the shared library                           library
#   libparid-dev   headers, find_package, pkg-config            development
#   python3-parid  the Python module, where it is built         python
#   parid-hdf5     the module for .h5 files and mpirun          hdf5
#
# HDF5 and Open MPI are needed by the last alone; the others suggest it, and do without.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${PARID_DEBIAN_VERSION})
set(CPACK_PACKAGE_VENDOR "the Parid authors")
set(CPACK_PACKAGE_CONTACT "The Parid authors <parid@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact joint torques of robots, fast")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL program library development)
if(TARGET _parid)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(TARGET parid_hdf5)
  list(APPEND CPACK_COMPONENTS_ALL hdf5)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the binaries need, by dpkg-shlibdeps
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(library_package libparid${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME parid)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gcc | clang")  # kernels made for a robot
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gnuplot-nox, parid-hdf5, verilator")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "The program: inverse dynamics of robots given as URDF or TOML, along motions,
and what belongs to it: motions, friction, simulation, control, inverse
kinematics, identification, generated code, schedules, hardware.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS parid-hdf5)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
    "The shared library: inverse and forward dynamics, gradients and kinematics of
robots, one sample at a time or in batches.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libparid-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library_package} (= ${PARID_DEBIAN_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers of the library for C++20 and C, with files for CMake's find_package and
for pkg-config.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-parid)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
get_property(python_versions GLOBAL PROPERTY PARID_PYTHON_VERSIONS)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "${python_versions}, python3-numpy, ${library_package} (= ${PARID_DEBIAN_VERSION})")
# compiled at installation; compiled files are removed with the package
foreach(pair postinst:py3compile prerm:py3clean)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 script)
  list(GET pair 1 tool)
  file(WRITE ${PROJECT_BINARY_DIR}/python/${script}
       "#!/bin/sh\nset -e\nif command -v ${tool} >/dev/null 2>&1; then ${tool} -p python3-parid; fi\n")
  list(APPEND python_scripts ${PROJECT_BINARY_DIR}/python/${script})
endforeach()
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${python_scripts}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "The Python module parid: NumPy arrays in and out.")
set(CPACK_DEBIAN_HDF5_PACKAGE_NAME parid-hdf5)
set(CPACK_DEBIAN_HDF5_PACKAGE_SECTION science)
# the module's interface changes with any version
set(CPACK_DEBIAN_HDF5_PACKAGE_DEPENDS
    "parid (= ${PARID_DEBIAN_VERSION}) | ${library_package} (= ${PARID_DEBIAN_VERSION})")
set(CPACK_DEBIAN_HDF5_PACKAGE_SUGGESTS "openmpi-bin, python3-h5py")
set(CPACK_COMPONENT_HDF5_DESCRIPTION
    "HDF5 files for Parid: motions in .h5, and parid batch, which streams files larger
than memory, on one machine or, under mpirun, on many.")

# Files that Debian requires in each package's folder.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
string(REGEX REPLACE "^[^\n]*\n+Copyright[^\n]*\n+" "" licence "${licence}")
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n+$" "" licence "${licence}")
string(REPLACE "\n" "\n " licence "${licence}")
file(WRITE ${PROJECT_BINARY_DIR}/copyright
     "Parid\n\nCopyright: 2026 the Parid authors\nLicense: BSD-3-clause\n ${licence}\n")
set(changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
if(PARID_GZIP)
  execute_process(COMMAND ${PARID_GZIP} -9nc ${changelog} OUTPUT_FILE
                  ${PROJECT_BINARY_DIR}/changelog.gz)
  set(changelog ${PROJECT_BINARY_DIR}/changelog.gz)
endif()
foreach(pair program:parid library:${library_package} development:libparid-dev python:python3-parid
             hdf5:parid-hdf5)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  if(component IN_LIST CPACK_COMPONENTS_ALL)
    install(FILES ${PROJECT_BINARY_DIR}/copyright ${changelog} DESTINATION
            ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  endif()
endforeach()
include(CPack)
