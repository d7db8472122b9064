// parid cache: lists and clears the compiled kernels of this user.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "codegen/compile/cache.hpp"

namespace parid::cli {
namespace cache_command {
namespace {

struct Options {
  bool clear = false, json = false;
};

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1048576; }

std::string day(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

Json json_of(const CacheListing& all) {
  Json entries = Json::array();
  for (const CacheEntry& e : all.entries)
    entries.push_back(
        {{"key", e.key}, {"bytes", e.bytes}, {"used", e.used}, {"made_for", e.made_for}});
  return entries;
}

int run(const Options& o) {
  const CacheListing all = o.clear ? clear_cache() : cache_listing();
  if (o.json) {
    print({{"schema", "parid.cache/1"},
           {"directory", all.folder},
           {"limit", all.limit},
           {"bytes", o.clear ? 0 : all.bytes},
           {"entries", o.clear ? Json::array() : json_of(all)},
           {"removed", o.clear ? json_of(all) : Json::array()}});
    return 0;
  }
  if (o.clear) {
    fmt::print("{}: removed {} compiled kernels, {:.1f} MiB\n", harmless(all.folder),
               all.entries.size(), mebibytes(all.bytes));
    return 0;
  }
  fmt::print("{}: {} compiled kernels, {:.1f} of at most {:.0f} MiB\n", harmless(all.folder),
             all.entries.size(), mebibytes(all.bytes), mebibytes(all.limit));
  if (all.entries.empty()) return 0;
  fmt::print("\n{}\n", heading(fmt::format("{:<16} {:>9}  {}", "last used", "KiB", "made for")));
  for (const CacheEntry& e : all.entries) {
    std::string made_for;
    for (const std::string& one : e.made_for) made_for += (made_for.empty() ? "" : "; ") + one;
    fmt::print("{:<16} {:>9.1f}  {}\n", day(e.used), static_cast<double>(e.bytes) / 1024,
               made_for.empty() ? "not known" : harmless(made_for));
  }
  return 0;
}

}  // namespace
}  // namespace cache_command

void add_cache(CLI::App& app, Action& action) {
  using namespace cache_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand("cache", "List or clear the compiled kernels of this user");
  c->add_flag("--clear", o.clear, "remove all of them; running programs keep what they loaded");
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "The directory is $PARID_CACHE, $XDG_CACHE_HOME/parid or ~/.cache/parid. Beyond "
      "$PARID_CACHE_SIZE MiB (1024) the kernels that were not used for longest are removed.\n"
      "Examples:  parid cache\n           parid cache --clear");
  c->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace parid::cli
