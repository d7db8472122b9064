// A file that appears complete or not at all: written beside its target, then renamed onto it.
//
// A reader of the target sees the old content or the new, never a mixture. An exception, a full
// disk or an interruption leaves the old content. Symbolic links are followed, so the file that
// they point to is replaced. Pipes, devices and standard output cannot be replaced and are written
// directly.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/layer.hpp"
#include "base/process/unfinished.hpp"
#include "parid/error.hpp"

namespace parid::base {

// Follows every symbolic link, also the last one if its target does not exist yet.
std::string mimic_source(const std::string& path);

// Makes a file's new name survive a power cut, on file systems that support
// it.
void sync_folder_of(const std::string& path);

class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);  // "-" is standard output
  ~AtomicFile();                                 // without commit(): leaves no trace
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  // Call once, after the last write. complete() flushes all bytes to the disk; commit() then only
  // renames. If several files belong together, complete all of them before the first commit.
  void complete();
  void commit();

 private:
  void open_beside(const std::string& target);
  void flush();
  void send(std::string_view bytes);
  void discard() noexcept;
  [[noreturn]] void fail(int error);

  std::string name_;       // as given by the user
  std::string target_;     // the final path; empty if written directly
  std::string temporary_;  // the path until commit()
  std::unique_ptr<Unfinished> unfinished_;
  std::vector<char> buffer_;
  int descriptor_ = -1;  // -1 once it is complete
};

}  // namespace parid::base
