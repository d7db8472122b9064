#include "cli/written_files.hpp"

#include <filesystem>

#include "parid/error.hpp"
#include "parid/io/atomic_file.hpp"

namespace parid::cli {

std::vector<std::string> write_files(const std::string& directory,
                                     const std::vector<EmittedFile>& files) {
  std::error_code trouble;
  std::filesystem::create_directories(directory, trouble);
  if (directory.empty() || trouble || !std::filesystem::is_directory(directory))
    throw Error({directory, 0}, "this cannot be made a directory",
                "give a directory that exists or can be made");
  std::vector<std::string> written;
  for (const EmittedFile& f : files) {
    const std::string path = (std::filesystem::path(directory) / f.name).string();
    AtomicFile file(path);
    file.write(f.text);
    file.commit();
    written.push_back(path);
  }
  return written;
}

}  // namespace parid::cli
