// From C source to functions of this process: the system's compiler, a cache of its output, and the
// loader.
//
// The cache is a directory that only the user can access; otherwise no cache is used. The name of
// an entry is a hash of its source, compiler, flags and CPU. The compiler writes to its own
// directory. Its output is read without following links, checked, copied to a new file, loaded, and
// then renamed into place, so that processes may build the same entry at once and a crash leaves no
// partial entry. An entry that is damaged, does not load or has another key is built again. No
// shell is used.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/layer.hpp"

namespace parid::codegen {

class CompiledLibrary {
 public:
  ~CompiledLibrary();
  CompiledLibrary(const CompiledLibrary&) = delete;
  CompiledLibrary& operator=(const CompiledLibrary&) = delete;

  void* function(const std::string& name) const;  // throws std::runtime_error if it does not exist
  bool from_cache() const { return from_cache_; }
  const std::string& path() const { return path_; }
  // A hash, 32 digits, of source, the compiler's version and flags, and the CPU's vendor, family
  // and features. The model name is not part of it: CPUs that differ in nothing else run the same
  // code.
  const std::string& build_fingerprint() const { return build_fingerprint_; }

 private:
  friend std::unique_ptr<CompiledLibrary> compile(const std::string&, std::string&,
                                                  const std::vector<std::string>&);
  friend std::unique_ptr<CompiledLibrary> compiled_before(const std::string&);
  CompiledLibrary() = default;
  void* handle_ = nullptr;
  bool from_cache_ = false;
  std::string path_, build_fingerprint_;
};

// Compiles for this machine. If it cannot (no compiler, no writable directory, a compiler error),
// returns nothing, with the reason in `note`. The compiler is $PARID_CC, or cc; the cache is
// $PARID_CACHE, $XDG_CACHE_HOME/parid or ~/.cache/parid. A compiler that takes longer than
// $PARID_CC_TIMEOUT seconds (300) is killed, with every process that it started.
// `flags` are given to the compiler after the usual ones.
std::unique_ptr<CompiledLibrary> compile(const std::string& source, std::string& note,
                                         const std::vector<std::string>& flags = {});

// Sources take long to make: a humanoid's gradient is traced for seconds. `what` is a text that
// determines the source for a given build of this library. remember() notes in the cache which
// entry was made for it, with one line about it; compiled_before() loads that entry, without
// starting the compiler, if build, compiler, flags and CPU are still the same. Null if there is
// none.
std::unique_ptr<CompiledLibrary> compiled_before(const std::string& what);
void remember(const CompiledLibrary&, const std::string& what, const std::string& about);

}  // namespace parid::codegen
