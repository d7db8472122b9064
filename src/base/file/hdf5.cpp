#include "base/file/hdf5.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/file/atomic_file.hpp"
#include "base/file/input_file.hpp"
#include "base/process/unfinished.hpp"
#include "base/text/shown.hpp"
#include "parid/error.hpp"

namespace parid::base {
namespace {

namespace fs = std::filesystem;

constexpr const char* module_name = "libparid-hdf5.so";

// Possible paths of the module, preferred one first.
std::vector<std::string> module_paths() {
  if (const char* given = std::getenv("PARID_HDF5")) return {given};
  std::vector<fs::path> folders;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  folders = {program, program / "../lib/parid"};
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&is_hdf5_name), &self) != 0 && self.dli_fname) {
    const fs::path library = fs::absolute(self.dli_fname, ignored).parent_path();
    folders.insert(folders.end(), {library, library / "parid"});
  }
  folders.push_back(program / PARID_MODULES_FROM_PROGRAM);
  std::vector<std::string> paths;
  for (const fs::path& folder : folders) paths.push_back((folder / module_name).string());
  return paths;
}

const Hdf5Module* load(std::string& why) {
  for (const std::string& path : module_paths()) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    // Local, so that its HDF5 symbols do not replace those of another one in this process (h5py has
    // its own).
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* entry = handle ? dlsym(handle, "parid_hdf5_module") : nullptr;
    if (!entry) {
      why = dlerror();
      continue;
    }
    return reinterpret_cast<const Hdf5Module* (*)()>(entry)();
  }
  return nullptr;
}

// Written beside the target and renamed, as by AtomicFile; removed after a failure.
struct Beside {
  std::string target, temporary;
  std::optional<mode_t> mode;  // of the replaced file
  std::optional<Unfinished> unfinished;
  bool done = false;

  explicit Beside(const std::string& path) : target(mimic_source(path)) {
    static std::atomic<unsigned> count = 0;
    struct stat about {};
    if (::stat(target.c_str(), &about) == 0) {
      if (!S_ISREG(about.st_mode))
        throw Error({path, 0}, "cannot write HDF5 to a directory, a pipe or a device",
                    "give a file name");
      if (::access(target.c_str(), W_OK) != 0)
        throw Error({path, 0}, "no permission to write", "choose another path");
      mode = about.st_mode & 07777;
    }
    temporary = target + ".parid-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
    unfinished.emplace(temporary);
  }
  ~Beside() {
    if (!done) ::unlink(temporary.c_str());
  }
  void commit() {
    const int descriptor = ::open(temporary.c_str(), O_RDONLY | O_CLOEXEC);
    const bool safe =
        descriptor >= 0 && (!mode || ::fchmod(descriptor, *mode) == 0) && ::fsync(descriptor) == 0;
    const int why = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (!safe)
      throw Error({target, 0}, "cannot write the whole file: " + std::string(std::strerror(why)),
                  "free some space, or choose another path");
    if (::rename(temporary.c_str(), target.c_str()) != 0)
      throw Error({target, 0}, "cannot write: " + std::string(std::strerror(errno)),
                  "choose another path");
    done = true;
    sync_folder_of(target);
  }
};

// Chunks that were never written read as zeros, so a file of two kilobytes may claim to hold
// gigabytes. Limits on compression ratios, and above 1 GiB on actual ratios, are as for .npz; small
// arrays are always accepted.
void require_stored(std::uint64_t bytes, std::uint64_t stored, const Place& place) {
  constexpr std::uint64_t little = std::uint64_t{16} << 20;
  const std::uint64_t most = bytes > (std::uint64_t{1} << 30) ? 100 : 1040;
  if (bytes > little && bytes / most > stored)
    throw Error(place,
                "it unpacks from " + std::to_string(stored) + " to " + std::to_string(bytes) +
                    " bytes, an implausible compression ratio",
                "if this is intended, store the dataset uncompressed, or use `parid batch`");
}

}  // namespace

const Hdf5Module& hdf5() {
  static std::string why;
  static const Hdf5Module* const module = load(why);
  if (module) return *module;
  throw Error(why.empty()
                  ? std::string("HDF5: ") + module_name +
                        " was not found; install the package parid-hdf5, or build Parid with "
                        "libhdf5-openmpi-dev and openmpi-bin (Debian package names), or use .npz"
                  : "HDF5: cannot load the module: " + why +
                        "; install libhdf5-openmpi-103-1 and openmpi-bin (Debian package names), "
                        "or use .npz");
}

std::string hdf5_module_path() {
  std::error_code ignored;
  for (const std::string& path : module_paths())
    if (fs::exists(path, ignored)) return fs::path(path).lexically_normal().string();
  return "";
}

bool is_hdf5_name(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  return ending == ".h5" || ending == ".hdf5";
}

bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

Hdf5Arrays::Hdf5Arrays(const std::string& path) : path_(path) {
  const auto size = InputFile(path).size();  // also reports why it cannot be opened
  if (!size) throw Error(Place{path}, "cannot read HDF5 from a pipe", "give a file");
  size_ = *size;
  file_ = hdf5().open(path, false, nullptr);
  for (const Hdf5Array& a : file_->arrays()) names_.push_back(a.name);
}

Array Hdf5Arrays::read(const std::string& name) const {
  const Hdf5Array* about = file_->find(name);
  if (!about) throw Error(Place{path_}, "there is no dataset " + shown(name), "");
  const Place place{path_ + ": dataset " + shown(name)};
  if (about->kind == Hdf5Kind::elsewhere)
    throw Error(place, std::string("this is ") + elsewhere_wrong, elsewhere_right);
  if (about->kind == Hdf5Kind::other)
    throw Error(place, "the dataset does not contain plain numbers",
                "store float64, float32 or integers");
  if (about->shape.empty() || about->shape.size() > 2)
    throw Error(place, "it has " + std::to_string(about->shape.size()) + " dimensions",
                "give one or two dimensions (rows, columns)");
  const std::uint64_t columns = about->numbers_per_row();
  if (about->rows() == 0 || columns == 0)
    throw Error(place, "the dataset is empty", "give at least one value");
  if (columns > most_array_bytes / 8 || about->rows() > most_array_bytes / 8 / columns)
    throw Error(place, "the dataset is larger than 8 GiB",
                "use `parid batch`, which streams the data");
  require_stored(8 * columns * about->rows(), std::min(about->stored, size_), place);
  Array array;
  for (const std::uint64_t n : about->shape) array.shape.push_back(n);
  array.data.resize(about->rows() * columns);
  file_->read(name, 0, about->rows(), array.data.data());
  auto at = [&](std::size_t k) {
    return Place{place.file + ", row [" + std::to_string(k / columns) + "]"};
  };
  for (std::size_t k = 0; k < array.data.size(); ++k) {
    const double x = array.data[k];
    if (!std::isfinite(x)) throw Error(at(k), "the value is not finite", "give finite numbers");
    // A larger integer may have been rounded, but values must be exact.
    if (about->kind == Hdf5Kind::integer && std::abs(x) >= 0x1p53)
      throw Error(at(k), "the value is an integer of 2^53 or more, which a double cannot represent",
                  "store it as float64");
  }
  return array;
}

void write_hdf5(const std::string& path, const std::map<std::string, Array>& arrays) {
  std::vector<Hdf5Array> layout;
  for (const auto& [name, array] : arrays)
    layout.push_back({name, {array.shape.begin(), array.shape.end()}});
  const Hdf5Module& module = hdf5();
  Beside file(path);
  try {
    module.create(file.temporary, layout, {});
    const auto out = module.open(file.temporary, true, nullptr);
    for (const auto& [name, array] : arrays) out->write(name, 0, array.rows(), array.data.data());
    out->close();
  } catch (const Error& e) {
    // Uses the name that the user gave.
    std::string text = e.what();
    if (const std::size_t at = text.find(file.temporary); at != std::string::npos)
      text.replace(at, file.temporary.size(), path);
    throw Error(text);
  }
  file.commit();
}

}  // namespace parid::base
