/* PARID_EXPORT marks what libparid.so exports: the classes and functions of the public headers.
 * All other symbols are hidden. tests/abi/symbols.txt lists the exported symbols, and a test
 * compares; after an intended change `./run symbols` writes the list. For C and C++. */

#ifndef PARID_EXPORT_H
#define PARID_EXPORT_H

#if defined(__GNUC__)
#define PARID_EXPORT __attribute__((visibility("default")))
#else
#define PARID_EXPORT
#endif

#endif
