# An overlay port: vcpkg install parid --overlay-ports=packaging/vcpkg, from a checkout.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DPARID_TESTS=OFF -DPARID_BENCH=OFF -DPARID_PYTHON=OFF -DPARID_PAGE=plain
          "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME parid CONFIG_PATH lib/cmake/parid)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES parid AUTO_CLEAN)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
