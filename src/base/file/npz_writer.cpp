#include <zip.h>

#include <vector>

#include "base/file/atomic_file.hpp"
#include "base/file/npz.hpp"

namespace parid::base {
namespace {

// libzip replaces files in its own way, so it packs into memory and AtomicFile writes the bytes.
class Packer {
 public:
  explicit Packer(const std::string& path) : place_{path} {
    zip_error_init(&error_);
    packed_ = zip_source_buffer_create(nullptr, 0, 0, &error_);
    if (packed_ == nullptr) fail(&error_);
    archive_ = zip_open_from_source(packed_, ZIP_CREATE | ZIP_TRUNCATE, &error_);
    if (archive_ == nullptr) {
      zip_source_free(packed_);
      fail(&error_);
    }
    zip_source_keep(packed_);
  }

  ~Packer() {
    if (archive_ != nullptr) zip_discard(archive_);
    zip_source_free(packed_);
    zip_error_fini(&error_);
  }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  // `header` and `array` must outlive write_to.
  void add(const std::string& name, const std::string& header, const Array& array) {
    // libzip declares the bytes non-const but only reads them.
    zip_buffer_fragment_t parts[] = {
        {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(header.data())), header.size()},
        {reinterpret_cast<zip_uint8_t*>(const_cast<double*>(array.data.data())),
         array.data.size() * sizeof(double)}};
    zip_source_t* source = zip_source_buffer_fragment(archive_, parts, 2, 0);
    if (source == nullptr) fail(zip_get_error(archive_));
    const zip_int64_t added =
        zip_file_add(archive_, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (added < 0) {
      zip_source_free(source);
      fail(zip_get_error(archive_));
    }
    const auto index = static_cast<zip_uint64_t>(added);
    // a fixed time, so that equal arrays give equal bytes
    constexpr zip_uint16_t first_of_january_1980 = (1 << 5) | 1;
    if (zip_set_file_compression(archive_, index, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(archive_, index, 0, first_of_january_1980, 0) != 0) {
      fail(zip_get_error(archive_));
    }
  }

  void write_to(AtomicFile& file) {
    if (zip_close(archive_) != 0) fail(zip_get_error(archive_));
    archive_ = nullptr;
    if (zip_source_open(packed_) != 0) fail(zip_source_error(packed_));
    std::vector<char> chunk(std::size_t{1} << 20);
    for (;;) {
      const zip_int64_t got = zip_source_read(packed_, chunk.data(), chunk.size());
      if (got < 0) fail(zip_source_error(packed_));
      if (got == 0) break;
      file.write({chunk.data(), static_cast<std::size_t>(got)});
    }
    zip_source_close(packed_);
  }

 private:
  [[noreturn]] void fail(zip_error_t* why) const {
    throw Error(place_, std::string("cannot compress: ") + zip_error_strerror(why),
                "write .npy files or CSV");
  }

  Place place_;
  zip_error_t error_ = {};
  zip_source_t* packed_ = nullptr;
  zip_t* archive_ = nullptr;
};

}  // namespace

void write_npz(const std::string& path, const std::map<std::string, Array>& arrays) {
  AtomicFile file(path);
  std::map<std::string, std::string> headers;
  Packer packer(path);
  for (const auto& [name, array] : arrays) {
    packer.add(name, headers[name] = npy_header(array), array);
  }
  packer.write_to(file);
  file.commit();
}

}  // namespace parid::base
