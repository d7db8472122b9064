#include "cli/output/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "parid/error.hpp"

namespace parid::cli {

std::vector<double> numbers(const std::string& option, const std::string& text) {
  std::vector<double> out;
  std::size_t start = 0;
  for (;;) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    std::size_t from = text.find_first_not_of(' ', start);
    if (from + 1 < comma && text[from] == '+' && text[from + 1] != '-') ++from;
    const char *first = text.data() + std::min(from, comma), *last = text.data() + comma;
    while (last > first && last[-1] == ' ') --last;
    double x = 0;
    const auto [end, error] = std::from_chars(first, last, x);
    if (error != std::errc() || end != last || !std::isfinite(x))
      throw Error(fmt::format(
          "{}: '{}' is not a finite number; give comma-separated numbers, such as 0,0,-9.81",
          option, text.substr(start, comma - start)));
    out.push_back(x);
    if (comma == text.size()) return out;
    start = comma + 1;
  }
}

std::array<double, 3> vector3(const std::string& option, const std::string& text) {
  const std::vector<double> x = numbers(option, text);
  if (x.size() != 3)
    throw Error(fmt::format("{}: {} number{} given; give three, such as 0,0,-9.81", option,
                            x.size(), x.size() == 1 ? "" : "s"));
  return {x[0], x[1], x[2]};
}

AtLink numbers_at_link(const std::string& option, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {"", numbers(option, text)};
  return {text.substr(0, colon), numbers(option, text.substr(colon + 1))};
}

std::string grouped(std::size_t n) {
  return n < 1000 ? fmt::format("{}", n) : fmt::format("{} {:03}", grouped(n / 1000), n % 1000);
}

}  // namespace parid::cli
