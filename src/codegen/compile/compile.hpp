// C text to functions of this process: the system's compiler, a cache of what it made, and the
// loader.
//
// The cache is private to the user: a directory that is theirs alone, or none is used. An entry is
// named by what it was made of: source, compiler, flags, CPU. The compiler writes into a directory
// of its own. What it wrote is read without following links, checked, copied into a file of ours,
// loaded, and only then renamed onto its place, so that processes may build the same one at once
// and a crash leaves nothing half done. An entry that was damaged since, does not load or does not
// carry its name is built again. No shell stands between.

#pragma once

#include <memory>
#include <string>

#include "codegen/layer.hpp"

namespace parid::codegen {

class CompiledLibrary {
 public:
  ~CompiledLibrary();
  CompiledLibrary(const CompiledLibrary&) = delete;
  CompiledLibrary& operator=(const CompiledLibrary&) = delete;

  void* function(const std::string& name) const;  // throws std::runtime_error where there is none
  bool from_cache() const { return from_cache_; }
  const std::string& path() const { return path_; }
  // A hash, 32 digits, of source, the compiler's version and flags, and the CPU's maker, family and
  // features. The model's name is not in it, as it is in the entry's: two CPUs that differ in no
  // more run the same code.
  const std::string& build_fingerprint() const { return build_fingerprint_; }

 private:
  friend std::unique_ptr<CompiledLibrary> compile(const std::string&, std::string&);
  CompiledLibrary() = default;
  void* handle_ = nullptr;
  bool from_cache_ = false;
  std::string path_, build_fingerprint_;
};

// Compiles for this machine. Where it cannot (no compiler, no place to write, the compiler
// refuses), gives nothing, and says why in `note`. The compiler is $PARID_CC, or cc; the cache
// $PARID_CACHE, $XDG_CACHE_HOME/parid or ~/.cache/parid. A compiler that takes longer than
// $PARID_CC_TIMEOUT seconds (300) is ended, with every process that it started.
std::unique_ptr<CompiledLibrary> compile(const std::string& source, std::string& note);

}  // namespace parid::codegen
