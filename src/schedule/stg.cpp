#include "schedule/stg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/file/line_reader.hpp"
#include "parid/error.hpp"

namespace parid::schedule {
namespace {

struct Row {
  int line = 0;
  Time number = 0, duration = 0;
  std::vector<Time> before;
};

class Reader {
 public:
  // so that a million of them can be added without overflow
  static constexpr Time longest = 1'000'000'000'000;
  static constexpr std::size_t most_tasks = 2'000'000, most_waits = 20'000'000;
  explicit Reader(std::string file) : file_(std::move(file)) {}

  void take(std::string_view text, int line) {
    line_ = line;
    const std::vector<Time> x = numbers(text.substr(0, text.find('#')));
    if (x.empty()) return;
    if (!headed_) {  // number of tasks; ignored, because the rows determine it
      headed_ = true;
      if (x.size() == 1) return;
    }
    if (x.size() < 3)
      fail(fmt::format("the row of a task has {} numbers", x.size()),
           "give the task's number, its time, the number of predecessors, and the predecessors");
    if (x[1] < 0) fail(fmt::format("task {} takes {}", x[0], x[1]), "give a time of 0 or more");
    if (x[1] > longest)
      fail(fmt::format("task {} takes {}, more than 10^12", x[0], x[1]), "use a larger time unit");
    if (x[2] != static_cast<Time>(x.size()) - 3)
      fail(fmt::format("task {} declares {} predecessors but lists {}", x[0], x[2], x.size() - 3),
           "correct the number");
    waits_ += x.size() - 3;
    if (rows_.size() >= most_tasks || waits_ > most_waits)
      fail(fmt::format("the graph has more than {} tasks, or more than {} edges", most_tasks,
                       most_waits),
           "give a part of the graph, or merge tasks");
    rows_.push_back({line, x[0], x[1], {x.begin() + 3, x.end()}});
  }

  TaskGraph graph() {
    if (rows_.empty())
      throw Error({file_, 0}, "the file contains no task", "give one row per task");
    sort_numbers();
    // The format's dummy tasks, before all and after all, are left out.
    const std::size_t n = rows_.size();
    const bool first = n > 1 && rows_[0].duration == 0 && rows_[0].before.empty(),
               last = n > 2 && rows_[n - 1].duration == 0 && !awaited(rows_[n - 1].number);
    std::vector<int> task(n, -1);
    TaskGraph g;
    for (std::size_t r = 0; r < n; ++r)
      if (!(first && r == 0) && !(last && r == n - 1))
        task[r] = g.add({std::to_string(rows_[r].number), rows_[r].duration});
    std::vector<std::size_t> last_waiter(n, n);  // so that a repeated edge counts once
    for (std::size_t r = 0; r < n; ++r) {
      line_ = rows_[r].line;
      for (const Time b : rows_[r].before) {
        const std::size_t at = row_of(b);
        if (at == n)
          fail(fmt::format("task {} has the predecessor {}, which does not exist", rows_[r].number,
                           b),
               "add a row for it, or remove it");
        if (std::exchange(last_waiter[at], r) != r && task[r] >= 0 && task[at] >= 0)
          g.precede_newly(task[at], task[r]);
      }
    }
    try {
      g.order();
    } catch (const Error& e) {
      throw Error(file_ + ": " + e.what());
    }
    return g;
  }

 private:
  [[noreturn]] void fail(const std::string& wrong, const std::string& right) const {
    throw Error({file_, line_}, wrong, right);
  }
  // Sorted instead of hashed: a malicious file could choose numbers that share a bucket.
  void sort_numbers() {
    for (std::size_t r = 0; r < rows_.size(); ++r) numbers_.push_back({rows_[r].number, r});
    std::sort(numbers_.begin(), numbers_.end());
    const Numbered* twice = nullptr;  // the first line that repeats a number
    for (std::size_t k = 1; k < numbers_.size(); ++k)
      if (numbers_[k].first == numbers_[k - 1].first &&
          (!twice || numbers_[k].second < twice->second))
        twice = &numbers_[k];
    if (!twice) return;
    line_ = rows_[twice->second].line;
    fail(fmt::format("task {} appears twice", twice->first), "give each task a unique number");
  }
  std::size_t row_of(Time number) const {  // the number of rows if there is none
    // Most files number their tasks 0, 1, 2, …
    const std::uint64_t guess =
        static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(numbers_.front().first);
    if (guess < numbers_.size() && numbers_[guess].first == number) return numbers_[guess].second;
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), Numbered{number, 0});
    return at == numbers_.end() || at->first != number ? rows_.size() : at->second;
  }
  bool awaited(Time number) const {
    for (const Row& r : rows_)
      for (const Time b : r.before)
        if (b == number) return true;
    return false;
  }
  std::vector<Time> numbers(std::string_view text) const {
    std::vector<Time> x;
    const char *at = text.data(), *end = at + text.size();
    for (;;) {
      while (at < end && (*at == ' ' || *at == '\t')) ++at;
      if (at == end) return x;
      Time value = 0;
      const auto [next, trouble] = std::from_chars(at, end, value);
      if (trouble != std::errc() || (next < end && *next != ' ' && *next != '\t'))
        fail("the line is not a row of whole numbers",
             "give the task's number, its time, the number of predecessors, and the predecessors");
      x.push_back(value);
      at = next;
    }
  }

  std::string file_;
  int line_ = 0;
  bool headed_ = false;
  std::vector<Row> rows_;
  std::size_t waits_ = 0;
  using Numbered = std::pair<Time, std::size_t>;
  std::vector<Numbered> numbers_;  // of tasks and their rows, ascending
};

}  // namespace

TaskGraph read_stg(const std::string& path) {
  LineReader lines(path);
  Reader reader(lines.file());
  for (std::string_view line; lines.next(line);) reader.take(line, lines.line());
  return reader.graph();
}

TaskGraph parse_stg(const std::string& text, const std::string& name) {
  Reader reader(name);
  int line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view row(text.data() + at, end - at);
    if (row.ends_with('\r')) row.remove_suffix(1);
    reader.take(row, ++line);
    at = end + 1;
  }
  return reader.graph();
}

std::string stg_text(const TaskGraph& g) {
  const std::vector<int> order = g.order();
  std::vector<int> number(g.size());
  for (int k = 0; k < g.size(); ++k) number[order[k]] = k + 1;
  std::string text = fmt::format("{:>11}\n{:>11}{:>11}{:>11}\n", g.size(), 0, 0, 0), names;
  std::vector<int> ends;
  for (const int t : order) {
    text += fmt::format("{:>11}{:>11}{:>11}", number[t], g[t].duration,
                        std::max<std::size_t>(1, g.before(t).size()));
    for (const Link& l : g.before(t)) text += fmt::format("{:>11}", number[l.task]);
    if (g.before(t).empty()) text += fmt::format("{:>11}", 0);
    text += '\n';
    if (g.after(t).empty()) ends.push_back(number[t]);
    if (g[t].name != std::to_string(number[t]))
      names += fmt::format("# {:>9} {}\n", number[t], g[t].name);
  }
  text += fmt::format("{:>11}{:>11}{:>11}", g.size() + 1, 0, ends.size());
  for (const int e : ends) text += fmt::format("{:>11}", e);
  return text + '\n' + names;
}

}  // namespace parid::schedule
