#include "cli/output/written_files.hpp"

#include <filesystem>
#include <memory>

#include "base/file/atomic_file.hpp"
#include "parid/error.hpp"

namespace parid::cli {

std::vector<std::string> write_files(const std::string& directory,
                                     const std::vector<EmittedFile>& files) {
  std::error_code trouble;
  std::filesystem::create_directories(directory, trouble);
  if (directory.empty() || trouble || !std::filesystem::is_directory(directory))
    throw Error({directory, 0}, "this cannot be made a directory",
                "give a directory that exists or can be made");
  std::vector<std::string> written;
  std::vector<std::unique_ptr<AtomicFile>> all;
  for (const EmittedFile& f : files) {
    written.push_back((std::filesystem::path(directory) / f.name).string());
    all.push_back(std::make_unique<AtomicFile>(written.back()));
    all.back()->write(f.text);
    all.back()->complete();
  }
  for (const auto& file : all) file->commit();
  return written;
}

}  // namespace parid::cli
