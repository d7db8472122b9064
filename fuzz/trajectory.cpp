// Motion files: CSV, .npy or .npz by their first bytes, for robots with quaternions or mimic
// joints.

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "fuzz/fuzz.hpp"
#include "fuzz/layer.hpp"
#include "fuzz/robots.hpp"
#include "motion/file/trajectory_file.hpp"
#include "parid/error.hpp"

namespace {

namespace fs = std::filesystem;
using namespace parid;
using namespace parid::fuzz;

// A folder of this process, in which files get the suffix of their format.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "parid-fuzz-XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string link(const fuzz::MemoryFile& file, const char* name) const {
    const fs::path link = path_ / name;
    fs::remove(link);
    fs::create_symlink(file.path(), link);
    return link.string();
  }

 private:
  fs::path path_;
};

void read(const Robot& robot, const std::string& path, const TrajectoryOptions& options) {
  try {
    const SampledTrajectory m = read_trajectory(robot, path, options);
    const std::size_t nq = static_cast<std::size_t>(robot.nq()),
                      nv = static_cast<std::size_t>(robot.nv());
    if (m.q.size() != m.rows * nq || m.v.size() != m.rows * nv || m.a.size() != m.rows * nv ||
        (options.torques && m.tau.size() != m.rows * nv))
      std::abort();
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const fuzz::MemoryFile file(data, size);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string path = folder.link(file, bytes.starts_with("\x93NUMPY") ? "m.npy"
                                             : bytes.starts_with("PK")      ? "m.npz"
                                                                            : "m.csv");
  // Covers every pair of robot, derive and torques.
  for (const bool floating : {false, true})
    for (const bool derive : {false, true})
      read(floating ? fuzz::floating_robot() : fuzz::following_robot(), path,
           {.derive = derive, .progress = {}, .torques = floating == derive});
  return 0;
}
