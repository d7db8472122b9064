// Reads and writes rows of an open file.

#include <exception>
#include <map>

#include "cluster/hdf5/handle.hpp"
#include "cluster/hdf5/module.hpp"
#include "parid/error.hpp"
#ifdef H5_HAVE_PARALLEL
#include <mpi.h>
#endif

namespace parid::cluster::hdf5 {
namespace {

hid_t native_type(const double*) { return H5T_NATIVE_DOUBLE; }
hid_t native_type(const float*) { return H5T_NATIVE_FLOAT; }

Hdf5Kind kind_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return Hdf5Kind::integer;
    case H5T_FLOAT: return H5Tget_size(type) == 4 ? Hdf5Kind::float32 : Hdf5Kind::float64;
    default: return Hdf5Kind::other;
  }
}

class FileOf final : public Hdf5File {
 public:
  FileOf(const std::string& path, bool to_write, Ranks* ranks) : path_(path) {
    const Properties access(H5Pcreate(H5P_FILE_ACCESS));
    // A sieve buffer would keep rows in memory that the journal may already list as written.
    H5Pset_sieve_buf_size(access, 0);
    H5Pset_file_locking(access, true, true);
    if (ranks) {
#ifdef H5_HAVE_PARALLEL
      H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
#endif
    }
    file_ = File(H5Fopen(path.c_str(), to_write ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access));
    if (!file_.good())
      throw Error({path, 0}, "cannot open as an HDF5 file: " + complaint(),
                  "write it again, for example with h5py");
    list();
  }

  const std::vector<Hdf5Array>& arrays() const override { return arrays_; }
  void read(const std::string& name, std::uint64_t first, std::uint64_t rows, double* to) override {
    read_rows(name, first, rows, to);
  }
  void read(const std::string& name, std::uint64_t first, std::uint64_t rows, float* to) override {
    read_rows(name, first, rows, to);
  }
  void write(const std::string& name, std::uint64_t first, std::uint64_t rows,
             const double* from) override {
    write_rows(name, first, rows, from);
  }
  void write(const std::string& name, std::uint64_t first, std::uint64_t rows,
             const float* from) override {
    write_rows(name, first, rows, from);
  }
  void close() override {
    open_.clear();
    if (file_.good() && file_.shut() < 0)
      throw Error({path_, 0}, "cannot close: " + complaint(), "check the disk");
  }

 private:
  // Lists datasets of the root group. Links are not followed: an untrusted motion file must not
  // name files here, and a soft link may lead through one to another file.
  void list() {
    failure_ = nullptr;
    const herr_t listed = H5Literate(
        file_, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t group, const char* name, const H5L_info_t* link, void* self) -> herr_t {
          auto& file = *static_cast<FileOf*>(self);
          try {
            if (link->type == H5L_TYPE_HARD)
              file.add(group, name);
            else
              file.arrays_.push_back({name, {}, Hdf5Kind::elsewhere});
            return 0;
          } catch (...) {  // must not pass through HDF5, which is C
            file.failure_ = std::current_exception();
            return -1;
          }
        },
        this);
    if (failure_) std::rethrow_exception(failure_);
    if (listed < 0)
      throw Error({path_, 0}, "cannot list its datasets: " + complaint(),
                  "the file may be damaged or truncated; write it again");
    H5Eclear2(H5E_DEFAULT);
  }
  void add(hid_t group, const char* name) {
    H5O_info_t about;
    if (H5Oget_info_by_name2(group, name, &about, H5O_INFO_BASIC, H5P_DEFAULT) < 0 ||
        about.type != H5O_TYPE_DATASET)
      return;
    Dataset dataset(H5Dopen2(group, name, H5P_DEFAULT));
    if (!dataset.good()) return;
    const Properties creation(H5Dget_create_plist(dataset));
    // Checked before the shape is read: for a virtual dataset HDF5 would read that from other
    // files.
    if (H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) != 0) {
      arrays_.push_back({name, {}, Hdf5Kind::elsewhere});
      return;
    }
    const Type type(H5Dget_type(dataset));
    const Space space(H5Dget_space(dataset));
    const int dimensions = H5Sget_simple_extent_ndims(space);
    if (dimensions < 0) return;
    std::vector<hsize_t> shape(static_cast<std::size_t>(dimensions));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    Hdf5Array a{name, {shape.begin(), shape.end()}, kind_of(type)};
    const bool plain = H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F32LE) > 0;
    a.stored = H5Dget_storage_size(dataset);
    if (plain && H5Pget_layout(creation) == H5D_CONTIGUOUS)
      if (const haddr_t at = H5Dget_offset(dataset); at != HADDR_UNDEF) a.offset = at;
    arrays_.push_back(a);
    open_[name] = std::move(dataset);
  }

  struct Part {
    Space in_file, in_memory;
  };
  Part part(hid_t dataset, std::uint64_t first, std::uint64_t rows) const {
    Part p{Space(H5Dget_space(dataset)), Space()};
    const auto n = static_cast<std::size_t>(H5Sget_simple_extent_ndims(p.in_file));
    std::vector<hsize_t> start(n), count(n);
    H5Sget_simple_extent_dims(p.in_file, count.data(), nullptr);
    start[0] = first;
    count[0] = rows;
    H5Sselect_hyperslab(p.in_file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    p.in_memory = Space(H5Screate_simple(static_cast<int>(n), count.data(), nullptr));
    return p;
  }

  template <class Real>
  void read_rows(const std::string& name, std::uint64_t first, std::uint64_t rows, Real* to) {
    const Dataset& dataset = opened(name);
    const Part p = part(dataset, first, rows);
    if (H5Dread(dataset, native_type(to), p.in_memory, p.in_file, H5P_DEFAULT, to) < 0)
      throw Error(place(name, first), "cannot read: " + complaint(),
                  "the file may be damaged or truncated; write it again");
  }
  template <class Real>
  void write_rows(const std::string& name, std::uint64_t first, std::uint64_t rows,
                  const Real* from) {
    const Dataset& dataset = opened(name);
    const Part p = part(dataset, first, rows);
    if (H5Dwrite(dataset, native_type(from), p.in_memory, p.in_file, H5P_DEFAULT, from) < 0)
      throw Error({path_, 0}, "cannot write: " + complaint(), "");
  }
  const Dataset& opened(const std::string& name) const {
    const auto at = open_.find(name);
    if (at == open_.end())
      throw Error({path_, 0}, "cannot open its dataset '" + name + "'",
                  "the file may be damaged or truncated; write it again");
    return at->second;
  }
  Place place(const std::string& name, std::uint64_t row) const {
    return {path_ + ": dataset '" + name + "', from row [" + std::to_string(row) + "]", 0};
  }

  std::string path_;
  File file_;
  std::vector<Hdf5Array> arrays_;
  std::map<std::string, Dataset> open_;  // closed before the file
  std::exception_ptr failure_;           // while datasets are listed
};

}  // namespace

std::unique_ptr<Hdf5File> open_file(const std::string& path, bool to_write, Ranks* ranks) {
  return std::make_unique<FileOf>(path, to_write, ranks);
}

}  // namespace parid::cluster::hdf5
