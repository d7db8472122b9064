#include "parid/hdf5/module.hpp"

#include <hdf5.h>

namespace parid::module {
namespace {

class Module final : public Hdf5Module {
 public:
  Module() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }  // we say it ourselves
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
  std::string text = "HDF5 does not say why";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* e, void* to) -> herr_t {
        if (depth == 0 && e->desc) *static_cast<std::string*>(to) = e->desc;
        return 0;
      },
      &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

}  // namespace parid::module

extern "C" __attribute__((visibility("default"))) const parid::Hdf5Module* parid_hdf5_module() {
  static const parid::module::Module module;
  return &module;
}
