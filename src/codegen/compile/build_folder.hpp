// Where one compilation takes place: a directory in the cache that belongs to this process alone.
//
// It is locked as long as its process lives, so that what a killed process left can be told from
// what another is still using, on any machine that shares the cache.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/process/unfinished.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

class BuildFolder {
 public:
  // Nothing where the directory cannot be made; errno says why.
  static std::optional<BuildFolder> make(const std::string& cache);
  BuildFolder(BuildFolder&&) noexcept;
  BuildFolder& operator=(BuildFolder&&) = delete;
  ~BuildFolder();  // removes the directory and what is in it

  std::string path(const char* name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

  // A new file of mode 0700 with this content, on the disk when it returns; false where that
  // failed.
  bool write(const char* name, const std::string& content) const;

 private:
  BuildFolder(std::string path, int lock);
  std::string path_;
  int lock_;
  std::unique_ptr<Unfinished> unfinished_;
};

// The content of a regular file of this user's that has one name. Links are not followed, and what
// is no such file is not read: nothing, and why in `flaw`.
std::optional<std::string> own_file(const std::string& path, std::string& flaw);

// Removes what processes that were killed have left in the cache.
void sweep(const std::string& cache);

}  // namespace parid::codegen
