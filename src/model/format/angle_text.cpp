#include "model/format/angle_text.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

namespace parid::model {
namespace {

// sum    = product { (+|-) product }
// product = factor { (*|/) factor }
// factor = { +|- } ( number | pi | "(" sum ")" ) [ deg ]
class AngleText {
 public:
  explicit AngleText(std::string_view text) : rest(text) {}

  std::optional<double> value() {
    const double v = sum();
    skip_spaces();
    if (wrong || !rest.empty() || !std::isfinite(v)) return {};
    return v;
  }

 private:
  std::string_view rest;
  bool wrong = false;
  int depth = 0;

  void skip_spaces() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
  }
  bool take(std::string_view word) {
    skip_spaces();
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  }
  double sum() {
    double v = product();
    while (!wrong) {
      if (take("+"))
        v += product();
      else if (take("-"))
        v -= product();
      else
        break;
    }
    return v;
  }
  double product() {
    double v = factor();
    while (!wrong) {
      if (take("*"))
        v *= factor();
      else if (take("/"))
        v /= factor();
      else
        break;
    }
    return v;
  }
  double factor() {
    if (++depth > 100) wrong = true;  // "((((…": not needed for angles
    double v = 0;
    if (wrong) return v;
    if (take("-"))
      v = -factor();
    else if (take("+"))
      v = factor();
    else
      v = atom();
    --depth;
    return v;
  }
  double atom() {
    double v = 0;
    skip_spaces();
    if (take("(")) {
      v = sum();
      if (!take(")")) wrong = true;
    } else if (take("pi") || take("π")) {
      v = std::numbers::pi;
    } else {
      // from_chars also reads "inf" and "nan"; an angle starts with a digit or a point.
      const bool digit = !rest.empty() && ((rest[0] >= '0' && rest[0] <= '9') || rest[0] == '.');
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), v);
      if (!digit || error != std::errc()) {
        wrong = true;
        return 0;
      }
      rest.remove_prefix(end - rest.data());
    }
    if (take("deg") || take("°")) v = v * std::numbers::pi / 180;
    return v;
  }
};

}  // namespace

std::optional<double> parse_angle(std::string_view text) { return AngleText(text).value(); }

}  // namespace parid::model
