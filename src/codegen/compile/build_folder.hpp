// The directory of one compilation, in the cache, used by this process only.
//
// It is locked while its process lives, so that leftovers of a killed process can be distinguished
// from directories in use, on every machine that shares the cache.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/process/unfinished.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

class BuildFolder {
 public:
  // Empty if the directory cannot be created; errno has the reason.
  static std::optional<BuildFolder> make(const std::string& cache);
  BuildFolder(BuildFolder&&) noexcept;
  BuildFolder& operator=(BuildFolder&&) = delete;
  ~BuildFolder();  // removes the directory and what is in it

  std::string path(const char* name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

  // Creates a file of mode 0700 with this content and flushes it to the disk; false on
  // failure.
  bool write(const char* name, const std::string& content) const;

 private:
  BuildFolder(std::string path, int lock);
  std::string path_;
  int lock_;
  std::unique_ptr<Unfinished> unfinished_;
};

// The content of a regular file of this user with one hard link. Symbolic links are not followed.
// For any other file returns nothing, with the reason in `flaw`.
std::optional<std::string> own_file(const std::string& path, std::string& flaw);

// Removes the leftovers of killed processes from the cache.
void sweep(const std::string& cache);

}  // namespace parid::codegen
