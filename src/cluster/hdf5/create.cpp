// Creates a file with all its metadata; only rows are missing. Its contents do not depend on the
// time, the process or the machine.

#include "cluster/hdf5/handle.hpp"
#include "cluster/hdf5/module.hpp"
#include "parid/error.hpp"

namespace parid::cluster::hdf5 {
namespace {

void require(bool good, const std::string& path) {
  if (!good)
    throw Error({path, 0}, "cannot create: " + complaint(),
                "choose an existing, writable directory with free space");
}

void add(hid_t file, const std::string& path, const std::string& name,
         const std::variant<std::string, std::int64_t>& value) {
  const Space scalar(H5Screate(H5S_SCALAR));
  const bool text = std::holds_alternative<std::string>(value);
  Type type(H5Tcopy(text ? H5T_C_S1 : H5T_STD_I64LE));
  if (text) {
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
  }
  const Attribute attribute(H5Acreate2(file, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT));
  require(attribute.good(), path);
  if (text) {
    const char* characters = std::get<std::string>(value).c_str();
    require(H5Awrite(attribute, type, &characters) >= 0, path);
  } else {
    require(H5Awrite(attribute, H5T_NATIVE_INT64, &std::get<std::int64_t>(value)) >= 0, path);
  }
}

}  // namespace

void create_file(const std::string& path, std::span<const Hdf5Array> arrays,
                 const Hdf5Attributes& attributes) {
  const Properties creation(H5Pcreate(H5P_FILE_CREATE)), access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_obj_track_times(creation, false);
  // Large arrays begin at a page, so that writers of neighbouring arrays do not share one.
  H5Pset_alignment(access, 1 << 16, 4096);
  File file(H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation, access));
  require(file.good(), path);
  const Properties each(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(each, false);
  H5Pset_layout(each, H5D_CONTIGUOUS);
  H5Pset_alloc_time(each, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(each, H5D_FILL_TIME_NEVER);
  for (const Hdf5Array& a : arrays) {
    const std::vector<hsize_t> shape(a.shape.begin(), a.shape.end());
    const Space space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
    const Dataset dataset(H5Dcreate2(file, a.name.c_str(),
                                     a.kind == Hdf5Kind::float32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE,
                                     space, H5P_DEFAULT, each, H5P_DEFAULT));
    require(dataset.good(), path);
  }
  for (const auto& [name, value] : attributes) add(file, path, name, value);
  require(file.shut() >= 0, path);
}

}  // namespace parid::cluster::hdf5
