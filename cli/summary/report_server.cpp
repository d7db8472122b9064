#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
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

// When files were last written and how large they are; a missing one is a state too.
using Stamps = std::vector<std::pair<std::filesystem::file_time_type, std::uintmax_t>>;
Stamps stamps(const std::set<std::string>& files) {
  Stamps all;
  for (const std::string& file : files) {
    std::error_code no;
    const auto written = std::filesystem::last_write_time(file, no);
    const std::uintmax_t size = no ? 0 : std::filesystem::file_size(file, no);
    all.emplace_back(no ? std::filesystem::file_time_type::min() : written, no ? 0 : size);
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
  std::set<std::string> files;
  for (const std::string& file : named_files(o)) files.insert(file);
  fmt::print("serving {}; Ctrl-C ends\n", server->url());
  std::fflush(stdout);

  // `made` has the files as they were when the page was begun; `seen` as they were last. A change
  // is acted upon when the files have rested for one tick.
  Stamps made = stamps(files), seen = made;
  auto maker = std::make_unique<PageMaker>(o, server->next());
  while (!signals.arrived()) {
    server->serve(tick);
    if (maker) {
      if (!maker->done()) continue;
      if (maker->result) {
        for (const std::string& text : maker->result->notes) note("note: {}", text);
        const std::size_t before = files.size();
        files.insert(maker->result->files.begin(), maker->result->files.end());
        server->publish(std::move(maker->result->html));
        if (files.size() != before) made = seen = stamps(files);
        note("note: page {} is ready, made from {} file{}", server->next() - 1, files.size(),
             files.size() == 1 ? "" : "s");
      } else {
        const std::string text = in_flags(maker->error);
        say_error(text);
        server->publish_error(text, error_page(text, server->next()));
      }
      maker.reset();
    }
    const Stamps now = stamps(files);
    if (now == made) continue;
    if (now != seen) {
      seen = now;
      continue;
    }
    made = now;
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
