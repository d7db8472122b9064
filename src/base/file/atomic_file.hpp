// A file that appears whole or not at all: written beside its target, then renamed onto it.
//
// A reader of the target sees the old content or the new, never half of either; an exception, a
// full disk or an interruption leaves the old. Symbolic links are followed, so it is the file they
// point to that is replaced. Pipes, devices and standard output cannot be replaced and are written
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

// Through every symbolic link, also the last one where what it points to does not exist yet.
std::string mimic_source(const std::string& path);

// So that a file's new name survives a power cut. Not every file system can; its data is safe
// anyway.
void sync_folder_of(const std::string& path);

class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);  // "-" is standard output
  ~AtomicFile();                                 // without commit(): as if it had never been
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  // Once, after the last write. complete() brings all bytes to the disk, and commit() then only
  // renames: where several files belong together, all are completed before the first is committed.
  void complete();
  void commit();

 private:
  void open_beside(const std::string& target);
  void flush();
  void send(std::string_view bytes);
  void discard() noexcept;
  [[noreturn]] void fail(int error);

  std::string name_;       // as the user gave it
  std::string target_;     // where it will stand; empty if written directly
  std::string temporary_;  // where it is now
  std::unique_ptr<Unfinished> unfinished_;
  std::vector<char> buffer_;
  int descriptor_ = -1;  // -1 once it is complete
};

}  // namespace parid::base
