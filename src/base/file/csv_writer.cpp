#include <algorithm>
#include <cassert>
#include <charconv>
#include <string_view>

#include "base/file/csv.hpp"
#include "base/text/decimal.hpp"
#include "base/text/shown.hpp"
#include "base/threads/thread_pool.hpp"

namespace parid::base {
namespace {

constexpr std::size_t longest_number = 32;  // -2.2250738585072014e-308 takes 24

// Quotes a name that the reader would otherwise misinterpret.
std::string header_name(const std::string& name, const std::string& path) {
  if (name.empty() || std::any_of(name.begin(), name.end(), is_control)) {
    throw Error(Place{path}, "invalid column name: " + shown(name), "use printable characters");
  }
  double ignored;
  const char* end = name.data() + name.size();
  const bool plain = name.find_first_of(",\";\t#") == std::string::npos && name.front() != ' ' &&
                     name.back() != ' ' && name.front() != '+' &&
                     std::from_chars(name.data(), end, ignored).ptr != end;
  if (plain) return name;
  std::string quoted = "\"";
  for (char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

CsvWriter::CsvWriter(const std::string& path, const std::vector<std::string>& columns, int threads)
    : file_(path), columns_(columns.size()), threads_(thread_count(threads)), texts_(1) {
  assert(!columns.empty());
  for (std::size_t c = 0; c < columns_; ++c) {
    if (c > 0) file_.write(",");
    file_.write(header_name(columns[c], path));
  }
  file_.write("\n");
}

CsvWriter::~CsvWriter() = default;

namespace {

// The rows as text, in a buffer that grows to what is needed.
std::string_view row_text(std::span<const double> values, std::size_t columns,
                          std::vector<char>& buffer) {
  const std::size_t room = values.size() * longest_number + decimal_room;
  if (buffer.size() < room) buffer.resize(room);
  char* at = buffer.data();
  for (const double *value = values.data(), *end = value + values.size(); value != end;) {
    for (std::size_t c = 0; c < columns; ++c) {
      at = write_decimal(at, *value++);
      *at++ = ',';
    }
    at[-1] = '\n';
  }
  return {buffer.data(), static_cast<std::size_t>(at - buffer.data())};
}

constexpr std::size_t part_values = 4096;  // 128 kB of text at most

}  // namespace

void CsvWriter::row(std::span<const double> values) {
  assert(values.size() == columns_);
  file_.write(row_text(values, columns_, texts_[0]));
}

void CsvWriter::rows(std::span<const double> values) {
  assert(values.size() % columns_ == 0);
  const std::size_t part = columns_ * std::max<std::size_t>(1, part_values / columns_);
  if (threads_ > 1 && !pool_ && values.size() >= 8 * part) {
    pool_ = std::make_unique<ThreadPool>(threads_);
    texts_.resize(static_cast<std::size_t>(4 * threads_));
  }
  std::vector<std::string_view> ready(texts_.size());
  while (!values.empty()) {
    const std::size_t parts = std::min(texts_.size(), (values.size() + part - 1) / part);
    const auto write_part = [&](std::size_t p) {
      const auto mine = values.subspan(p * part);
      ready[p] = row_text(mine.first(std::min(part, mine.size())), columns_, texts_[p]);
    };
    if (pool_ && parts > 1)
      pool_->share(parts, [&](int, std::size_t p) { write_part(p); });
    else
      for (std::size_t p = 0; p < parts; ++p) write_part(p);
    for (std::size_t p = 0; p < parts; ++p) file_.write(ready[p]);
    values = values.subspan(std::min(values.size(), parts * part));
  }
}

void write_csv(const std::string& path, const std::vector<std::string>& columns,
               std::span<const double> data) {
  assert(!columns.empty() && data.size() % columns.size() == 0);
  CsvWriter out(path, columns);
  out.rows(data);
  out.commit();
}

}  // namespace parid::base
