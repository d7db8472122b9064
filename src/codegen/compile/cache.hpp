// The directory of compiled kernels: where it is, what it holds, how large it may grow.
//
// An entry KEY.so is a compiled kernel; its name is a hash of source, compiler, flags and CPU. A
// file HASH.id names an entry by what it was made for: robot, quantity, and the build of this
// library. It leads to the entry without tracing the robot's program again.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/layer.hpp"

namespace parid::codegen {

// $PARID_CACHE, $XDG_CACHE_HOME/parid or ~/.cache/parid: a directory that only this user can
// access, created if missing. "" with the reason in `note` if there is none.
std::string cache_folder(std::string& note);

// Bytes that the entries may have together: $PARID_CACHE_SIZE in MiB, 1024 by default. Throws
// parid::Error if the variable is no number.
std::uint64_t cache_limit();

// 32 hexadecimal digits: for file names, not for security.
std::string digest(const std::string& text);

struct CacheEntry {
  std::string key;
  std::uint64_t bytes = 0;            // with its names
  std::int64_t used = 0;              // seconds since 1970
  std::vector<std::string> made_for;  // "puma560, inverse, double"; empty if not known
};
struct CacheListing {
  std::string folder;
  std::uint64_t bytes = 0, limit = 0;
  std::vector<CacheEntry> entries;  // last used first
};
// Throws parid::Error if the directory cannot be used.
CacheListing cache_listing();

// Removes all entries and the leftovers of killed processes; processes that have loaded an entry
// keep it. Returns what was removed. Throws as cache_listing().
CacheListing clear_cache();

// Removes the entries that were not used for longest until the rest is within the limit. The entry
// `keep` stays.
void trim_cache(const std::string& folder, const std::string& keep);

// ---- names of entries

struct NamedEntry {
  std::string key, build_fingerprint;
};
// The entry that was named by exactly this text; nothing if there is none.
std::optional<NamedEntry> named_entry(const std::string& folder, const std::string& identity);
// `about` is one line for cache_listing(). Failures are ignored: the next call traces again.
void name_entry(const std::string& folder, const NamedEntry&, const std::string& about,
                const std::string& identity);

// The build of the code that makes programs: the linker's build identifier of this library, or of
// the program that contains it. Empty if it has none; entries are then not named.
const std::string& build_identifier();

}  // namespace parid::codegen
