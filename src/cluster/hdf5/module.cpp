#include "cluster/hdf5/module.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace parid::cluster::hdf5 {
namespace {

class Module final : public Hdf5Module {
 public:
  // Each file is closed by its owner. HDF5's exit handler would try again to close files that a
  // full disk prevented from closing, and crash. Errors are reported by Parid.
  Module() {
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  std::unique_ptr<Hdf5File> open(const std::string& path, bool to_write,
                                 Ranks* ranks) const override {
    return open_file(path, to_write, ranks);
  }
  void create(const std::string& path, std::span<const Hdf5Array> arrays,
              const Hdf5Attributes& attributes) const override {
    create_file(path, arrays, attributes);
  }
  std::unique_ptr<Ranks> ranks() const override { return start_ranks(); }
};

}  // namespace

std::string complaint() {
  char said[1000] = "HDF5 gives no reason";  // no string: no exception may pass through HDF5
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* e, void* to) -> herr_t {
        if (depth == 0 && e->desc)
          std::snprintf(static_cast<char*>(to), sizeof said, "%s", e->desc);
        return 0;
      },
      said);
  H5Eclear2(H5E_DEFAULT);
  const std::string text = said;
  // "file write failed: time = …, errno = 28, error message = 'No space left on device', buf = 0x…"
  const std::string_view before = "error message = '";
  const std::size_t details = std::min(text.find(": time = "), text.find(", errno = ")),
                    message = text.find(before);
  if (details == text.npos || message == text.npos) return text;
  const std::size_t begin = message + before.size();
  return text.substr(0, details) + ": " + text.substr(begin, text.find('\'', begin) - begin);
}

}  // namespace parid::cluster::hdf5

extern "C" __attribute__((visibility("default"))) const parid::base::Hdf5Module*
parid_hdf5_module() {
  static const parid::cluster::hdf5::Module module;
  return &module;
}
