#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include "base/process/unfinished.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/terminal.hpp"
#include "cli/summary/report_page.hpp"
#include "parid/error.hpp"
#include "report/page.hpp"
#include "report/page_server.hpp"

namespace parid::cli {
namespace {

constexpr int tick = 100;  // milliseconds between looks at the files

namespace fs = std::filesystem;

// When a file was last written and how large it is; a missing one is a state too.
using Stamp = std::pair<fs::file_time_type, std::uintmax_t>;
constexpr Stamp missing{fs::file_time_type::min(), 0};
Stamp stamp(const std::string& file) {
  std::error_code no;
  const auto written = fs::last_write_time(file, no);
  if (no) return missing;
  const std::uintmax_t size = fs::file_size(file, no);
  return no ? missing : Stamp{written, size};
}
using Stamps = std::map<std::string, Stamp>;
Stamps stamps_now(const Stamps& of) {
  Stamps all;
  for (const auto& [file, unused] : of) all[file] = stamp(file);
  return all;
}
// A file that a page begun at this time turned out to need. If it changed since, the page is made
// again.
void watch(Stamps& made, const std::string& file, fs::file_time_type begun) {
  const Stamp now = stamp(file);
  made.try_emplace(file, now.first < begun ? now : missing);
}

// Files that may be the reason of an error: those beside the ones that were named.
std::set<std::string> neighbours(const Stamps& of) {
  constexpr std::size_t most = 1000;
  std::set<std::string> all;
  for (const auto& [file, unused] : of) {
    std::error_code no;
    const fs::path folder = fs::path(file).parent_path();
    for (fs::directory_iterator at(folder.empty() ? "." : folder, no), end;
         !no && at != end && all.size() < most; at.increment(no))
      if (at->is_regular_file(no)) all.insert((folder / at->path().filename()).string());
  }
  return all;
}

// SIGINT and SIGTERM, blocked in this thread and those it starts, so that the loop ends in order.
class EndSignals {
 public:
  EndSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~EndSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  // Whether one has arrived; it is then taken.
  bool arrived() const {
    sigset_t pending;
    sigpending(&pending);
    if (!sigismember(&pending, SIGINT) && !sigismember(&pending, SIGTERM)) return false;
    int signal = 0;
    sigwait(&set_, &signal);
    return true;
  }

 private:
  sigset_t set_{}, before_{};
};

// Makes a page on a thread of its own, so that requests are answered meanwhile.
class PageMaker {
 public:
  PageMaker(const ReportOptions& options, long number)
      : thread_([this, options, number] {
          try {
            result = report_page(options, number);
          } catch (const std::exception& e) {
            error = e.what();
          }
          done_ = true;
        }) {}
  ~PageMaker() { thread_.join(); }
  PageMaker(const PageMaker&) = delete;
  PageMaker& operator=(const PageMaker&) = delete;
  bool done() const { return done_; }

  std::optional<ReportResult> result;  // once done
  std::string error;

 private:
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace

int serve_report(const ReportOptions& o) {
  for (const std::optional<std::string>& path :
       {std::optional(o.torque.robot), o.torque.motion.file, o.compare})
    if (path == "-") throw Error("--serve: standard input cannot be read again; give files");
  const EndSignals signals;
  std::optional<PageServer> server;
  try {
    server.emplace(PageServerOptions{.port = o.port});
  } catch (const Error& e) {
    throw Error(fmt::format("--port: {}", e.what()));
  }
  // `made` has the files as they were when the page was begun; `seen` as they were last. A change
  // is acted upon when the files have rested for one tick.
  Stamps made;
  for (const std::string& file : named_files(o)) made[file] = stamp(file);
  for (const std::optional<std::string>& path :
       {std::optional(o.torque.robot), o.torque.motion.file, o.compare, o.compare_motion})
    if (path && fs::path(*path).has_extension()) made[*path] = stamp(*path);  // missing as yet
  const Stamps named = made;
  fmt::print("serving {}; Ctrl-C ends\n", server->url());
  std::fflush(stdout);

  Stamps seen = made;
  auto begun = fs::file_time_type::clock::now();
  auto maker = std::make_unique<PageMaker>(o, server->next());
  while (!signals.arrived()) {
    server->serve(tick);
    if (maker) {
      if (!maker->done()) continue;
      if (maker->result) {
        for (const std::string& text : maker->result->notes) note("note: {}", text);
        for (const std::string& file : maker->result->files) watch(made, file, begun);
        std::erase_if(made, [&](const auto& one) {  // those watched because of an error
          const std::vector<std::string>& used = maker->result->files;
          return !named.contains(one.first) &&
                 std::find(used.begin(), used.end(), one.first) == used.end();
        });
        seen = made;
        server->publish(std::move(maker->result->html));
        note("note: page {} is ready, made from {} file{}", server->next() - 1, made.size(),
             made.size() == 1 ? "" : "s");
      } else {
        const std::string text = in_flags(maker->error);
        say_error(text);
        for (const std::string& file : neighbours(named)) watch(made, file, begun);
        server->publish_error(text, error_page(text, server->next()));
      }
      maker.reset();
    }
    const Stamps now = stamps_now(made);
    if (now == made) continue;
    if (now != seen) {
      seen = now;
      continue;
    }
    made = now;
    begun = fs::file_time_type::clock::now();
    maker = std::make_unique<PageMaker>(o, server->next());
  }
  note("note: stopped");
  if (maker && !maker->done()) {
    // Its thread cannot be interrupted; nothing that it has written remains.
    std::fflush(stdout);
    base::remove_unfinished_files();
    std::_Exit(0);
  }
  return 0;
}

}  // namespace parid::cli
