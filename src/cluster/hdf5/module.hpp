// The module that links HDF5 and MPI: base/file/hdf5.hpp declares its interface.
//
// hdf5/ is compiled only into libparid-hdf5.so; it includes base/file/hdf5.hpp, parid/error.hpp and
// no source of the library.

#pragma once

#include <memory>
#include <string>

#include "base/file/hdf5.hpp"
#include "cluster/layer.hpp"

namespace parid::cluster::hdf5 {

std::unique_ptr<Hdf5File> open_file(const std::string& path, bool to_write, Ranks*);
void create_file(const std::string& path, std::span<const Hdf5Array>, const Hdf5Attributes&);
std::unique_ptr<Ranks> start_ranks();

// The innermost message of HDF5's error stack, which has the cause.
std::string complaint();

}  // namespace parid::cluster::hdf5
