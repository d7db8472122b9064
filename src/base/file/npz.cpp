#include "base/file/npz.hpp"

#include <zip.h>

#include <algorithm>
#include <utility>

#include "base/file/atomic_file.hpp"
#include "base/file/input_file.hpp"
#include "base/text/shown.hpp"

namespace parid::base {
namespace {

constexpr std::string_view suffix = ".npy";

struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};

// Deflate compresses at most 1032 : 1, so a larger ratio is false. Large arrays of zeros come
// close, but above 1 GiB an attack is more likely.
void check_sizes(const zip_stat_t& about, std::uint64_t file_size, const Place& place) {
  if (about.comp_size > file_size) {
    throw Error(place, "an entry is larger than the file itself",
                "the file is damaged; save it again");
  }
  if (about.size > most_array_bytes) {
    throw Error(place, "it unpacks to " + std::to_string(about.size) + " bytes, more than 8 GiB",
                "split it into several files, or use HDF5 with `parid batch`");
  }
  const std::uint64_t most = about.size > (std::uint64_t{1} << 30) ? 100 : 1040;
  if (about.size / most > about.comp_size) {
    throw Error(place,
                "it unpacks from " + std::to_string(about.comp_size) + " to " +
                    std::to_string(about.size) + " bytes, an implausible compression ratio",
                "if this is intended, save it uncompressed with numpy.savez");
  }
}

}  // namespace

void Npz::Close::operator()(zip* archive) const { zip_discard(archive); }

Npz::Npz(const std::string& path) : file_(path) {
  if (path == "-") {
    throw Error(Place{"standard input"}, "cannot read .npz from a pipe",
                "give a file, or pipe .npy or CSV");
  }
  const auto size = InputFile(path).size();  // also reports why it cannot be opened
  if (!size) throw Error(Place{path}, "cannot read .npz from a pipe", "give a file");
  size_ = *size;
  int error = 0;
  archive_.reset(zip_open(path.c_str(), ZIP_RDONLY, &error));
  if (archive_ == nullptr) {
    zip_error_t why;
    zip_error_init_with_code(&why, error);
    const std::string reason = zip_error_strerror(&why);
    zip_error_fini(&why);
    throw Error(Place{path}, "this is not an .npz file: " + reason, "save it with numpy.savez");
  }
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* raw = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
    std::string name = raw != nullptr ? raw : "";
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
    names_.push_back(std::move(name));
  }
  std::vector<std::string_view> sorted(names_.begin(), names_.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw Error(Place{path}, "array " + shown(*twice) + " appears twice",
                "save the file again with unique names");
  }
}

bool Npz::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

Array Npz::read(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    std::string others;
    for (const std::string& other : names_) {
      if (others.size() > 200) break;
      others += (others.empty() ? "" : ", ") + shown(other);
    }
    throw Error(Place{file_}, "there is no array " + shown(name),
                names_.empty() ? "the file contains no arrays" : "the file has " + others);
  }
  const auto index = static_cast<zip_uint64_t>(found - names_.begin());
  const Place place{file_ + ": array " + shown(name)};
  const std::string again = "save it with numpy.savez or numpy.savez_compressed";

  zip_stat_t about;
  constexpr zip_uint64_t needed =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if (zip_stat_index(archive_.get(), index, 0, &about) != 0 || (about.valid & needed) != needed) {
    throw Error(place, "its entry is damaged", again);
  }
  if (about.encryption_method != ZIP_EM_NONE) throw Error(place, "it is encrypted", again);
  if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE) {
    throw Error(place, "it uses a compression method that NumPy does not write", again);
  }
  check_sizes(about, size_, place);

  const std::unique_ptr<zip_file_t, CloseEntry> entry(zip_fopen_index(archive_.get(), index, 0));
  if (entry == nullptr) {
    throw Error(place, std::string("cannot decompress: ") + zip_strerror(archive_.get()), again);
  }
  return parse_npy(
      {place, about.size, [&](char* to, std::size_t most) {
         const zip_int64_t got = zip_fread(entry.get(), to, most);
         if (got >= 0) return static_cast<std::size_t>(got);
         throw Error(place, std::string("cannot decompress: ") + zip_file_strerror(entry.get()),
                     "the file is damaged; save or copy it again");
       }});
}

}  // namespace parid::base
