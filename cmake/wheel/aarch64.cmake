# Cross-compilation for Debian's arm64: PARID_FOREIGN_ROOT is the folder of foreign_root.sh.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_STRIP aarch64-linux-gnu-strip)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PARID_FOREIGN_ROOT)
set(CMAKE_SYSROOT ${PARID_FOREIGN_ROOT})
set(CMAKE_FIND_ROOT_PATH ${PARID_FOREIGN_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${PARID_FOREIGN_ROOT})
# pkg-config reads the descriptions of that root, and only those.
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${PARID_FOREIGN_ROOT})
set(ENV{PKG_CONFIG_LIBDIR}
    ${PARID_FOREIGN_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${PARID_FOREIGN_ROOT}/usr/share/pkgconfig)
# Python's modules are found by the build machine's interpreter of the same version.
set(Python3_EXECUTABLE /usr/bin/python3)
set(Python3_INCLUDE_DIR ${PARID_FOREIGN_ROOT}/usr/include/python3.11)
set(Python3_NumPy_INCLUDE_DIR
    ${PARID_FOREIGN_ROOT}/usr/lib/python3/dist-packages/numpy/core/include)
set(PYTHON_MODULE_EXTENSION .cpython-311-aarch64-linux-gnu.so)
