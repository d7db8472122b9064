#include "codegen/compile/cache.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "codegen/compile/build_folder.hpp"
#include "parid/error.hpp"

namespace parid::codegen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view header = "parid kernel 1\n";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool is_key(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// One line of `text` from `at` on, which moves behind it; nothing at the end.
std::optional<std::string> next_line(const std::string& text, std::size_t& at) {
  const std::size_t end = text.find('\n', at);
  if (end == text.npos) return {};
  std::string line = text.substr(at, end - at);
  at = end + 1;
  return line;
}

// A file HASH.id: header, key, fingerprint, one line about it, and the identity.
struct Name {
  NamedEntry entry;
  std::string about, identity;
};
std::optional<Name> read_name(const std::string& path) {
  std::string unused;
  const std::optional<std::string> text = own_file(path, unused);
  if (!text || !text->starts_with(header)) return {};
  std::size_t at = header.size();
  const auto key = next_line(*text, at), fingerprint = next_line(*text, at),
             about = next_line(*text, at);
  if (!about || !is_key(*key) || !is_key(*fingerprint)) return {};
  return Name{{*key, *fingerprint}, *about, text->substr(at)};
}

std::string name_path(const std::string& folder, const std::string& identity) {
  return folder + "/" + digest(identity) + ".id";
}

std::string usable_folder() {
  std::string note;
  const std::string folder = cache_folder(note);
  if (folder.empty()) throw Error(note);
  return folder;
}

void remove_entry(const CacheListing& all, const CacheEntry& e) {
  ::unlink((all.folder + "/" + e.key + ".so").c_str());
}

CacheListing listing_of(const std::string& folder) {
  CacheListing all{folder, 0, cache_limit(), {}};
  std::map<std::string, CacheEntry> by_key;
  std::vector<std::pair<std::string, std::uint64_t>> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const fs::path path = at->path();
    struct stat s {};
    if (::lstat(path.c_str(), &s) != 0 || !S_ISREG(s.st_mode) || !is_key(path.stem().string()))
      continue;
    if (path.extension() == ".so") {
      CacheEntry& e = by_key[path.stem().string()];
      e.bytes += static_cast<std::uint64_t>(s.st_size);
      e.used = s.st_mtim.tv_sec;
    } else if (path.extension() == ".id") {
      names.emplace_back(path.string(), static_cast<std::uint64_t>(s.st_size));
    }
  }
  for (const auto& [path, bytes] : names) {
    const std::optional<Name> name = read_name(path);
    const auto entry = name ? by_key.find(name->entry.key) : by_key.end();
    if (entry == by_key.end()) {  // its entry was removed, or it is damaged
      ::unlink(path.c_str());
      continue;
    }
    entry->second.bytes += bytes;
    entry->second.made_for.push_back(name->about);
  }
  for (auto& [key, entry] : by_key) {
    entry.key = key;
    std::sort(entry.made_for.begin(), entry.made_for.end());
    all.bytes += entry.bytes;
    all.entries.push_back(std::move(entry));
  }
  std::stable_sort(all.entries.begin(), all.entries.end(),
                   [](const CacheEntry& a, const CacheEntry& b) { return a.used > b.used; });
  return all;
}

// ---- build identifier

struct Search {
  ElfW(Addr) at;
  std::string found;
};

int look_in_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool ours = false;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& part = object->dlpi_phdr[k];
    const ElfW(Addr) start = object->dlpi_addr + part.p_vaddr;
    ours |= part.p_type == PT_LOAD && search.at >= start && search.at < start + part.p_memsz;
  }
  if (!ours) return 0;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& part = object->dlpi_phdr[k];
    if (part.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
    const char* const end = at + part.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* const name = at + sizeof note;
      const char* const value = name + (note.n_namesz + 3) / 4 * 4;
      at = value + (note.n_descsz + 3) / 4 * 4;
      if (at > end) break;
      if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || std::memcmp(name, "GNU", 4) != 0)
        continue;
      for (ElfW(Word) b = 0; b < note.n_descsz; ++b)
        search.found += fmt::format("{:02x}", static_cast<unsigned char>(value[b]));
    }
  }
  return 1;
}

}  // namespace

std::string cache_folder(std::string& note) {
  std::string folder = variable("PARID_CACHE");
  if (folder.empty()) {
    const std::string base = variable("XDG_CACHE_HOME"), home = variable("HOME");
    if (!base.empty()) {
      folder = base + "/parid";
    } else if (!home.empty()) {
      folder = home + "/.cache/parid";
    } else {
      note = "no directory for compiled code: neither XDG_CACHE_HOME nor HOME is set";
      return "";
    }
  }
  std::error_code trouble;
  fs::create_directories(fs::path(folder).parent_path(), trouble);
  ::mkdir(folder.c_str(), 0700);  // if it exists, the checks below decide
  struct stat s {};
  if (::lstat(folder.c_str(), &s) != 0 || !S_ISDIR(s.st_mode)) {
    note = fmt::format("cannot create the directory '{}' for compiled code", folder);
    return "";
  }
  if (s.st_uid != ::geteuid() || (s.st_mode & 0022) != 0) {
    note = fmt::format(
        "other users can write to '{}', so compiled code in it is not trusted; run chmod 700 on "
        "it, or set PARID_CACHE",
        folder);
    return "";
  }
  return folder;
}

std::uint64_t cache_limit() {
  const std::string text = variable("PARID_CACHE_SIZE");
  if (text.empty()) return std::uint64_t{1024} << 20;
  double mebibytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mebibytes);
  if (error != std::errc{} || end != text.data() + text.size() || !(mebibytes >= 0) ||
      mebibytes > 1e9)
    throw Error(fmt::format(
        "PARID_CACHE_SIZE: invalid size '{}'; give the most MiB of compiled kernels, such as 1024",
        text));
  return static_cast<std::uint64_t>(mebibytes * 1048576);
}

std::string digest(const std::string& text) {
  std::uint64_t a = 0xcbf29ce484222325u, b = 0x84222325cbf29ce4u;
  for (const unsigned char c : text) {
    a = (a ^ c) * 0x100000001b3u;
    b = (b ^ (c + (b >> 57))) * 0x9e3779b97f4a7c15u;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

CacheListing cache_listing() { return listing_of(usable_folder()); }

CacheListing clear_cache() {
  CacheListing all = listing_of(usable_folder());
  for (const CacheEntry& e : all.entries) remove_entry(all, e);
  listing_of(all.folder);  // removes names without an entry
  sweep(all.folder);
  return all;
}

void trim_cache(const std::string& folder, const std::string& keep) {
  CacheListing all = listing_of(folder);
  bool removed = false;
  for (auto e = all.entries.rbegin(); e != all.entries.rend() && all.bytes > all.limit; ++e) {
    if (e->key == keep) continue;
    remove_entry(all, *e);
    all.bytes -= e->bytes;
    removed = true;
  }
  if (removed) listing_of(folder);
}

std::optional<NamedEntry> named_entry(const std::string& folder, const std::string& identity) {
  std::optional<Name> name = read_name(name_path(folder, identity));
  // Texts are compared, because two of them can have the same hash.
  if (!name || name->identity != identity) return {};
  return name->entry;
}

void name_entry(const std::string& folder, const NamedEntry& entry, const std::string& about,
                const std::string& identity) {
  std::string line = about;
  std::replace(line.begin(), line.end(), '\n', ' ');
  const std::optional<BuildFolder> build = BuildFolder::make(folder);
  if (!build) return;
  const std::string text =
      fmt::format("{}{}\n{}\n{}\n{}", header, entry.key, entry.build_fingerprint, line, identity);
  if (build->write("name.id", text))
    (void)::rename(build->path("name.id").c_str(), name_path(folder, identity).c_str());
}

const std::string& build_identifier() {
  static const std::string found = [] {
    Search search{reinterpret_cast<ElfW(Addr)>(&look_in_object), ""};
    ::dl_iterate_phdr(look_in_object, &search);
    return search.found;
  }();
  return found;
}

}  // namespace parid::codegen
