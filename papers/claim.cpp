#include "papers/claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "papers/layer.hpp"

namespace parid::papers {

Reason reproduced(std::string because) { return {Verdict::reproduced, std::move(because)}; }
Reason refuted(std::string because) { return {Verdict::refuted, std::move(because)}; }
Reason not_derivable(std::string because) { return {Verdict::not_derivable, std::move(because)}; }

void Claims::add(std::string where, std::string what, const Outcome& found, std::string code,
                 const Reason& reason) {
  const bool explained = found.verdict == reason.of;
  claims_.push_back({paper_, std::move(where), std::move(what), found.printed, found.ours,
                     found.verdict, found.basis,
                     explained ? reason.sentence
                               : fmt::format("unexplained: it was {}, because {}", name(reason.of),
                                             reason.sentence),
                     std::move(code), explained});
}

namespace {

Verdict verdict_of(bool same) { return same ? Verdict::reproduced : Verdict::refuted; }

}  // namespace

const char* name(Verdict v) {
  switch (v) {
    case Verdict::reproduced: return "reproduced";
    case Verdict::refuted: return "refuted";
    case Verdict::not_derivable: return "not derivable";
  }
  throw std::logic_error("name: no such verdict");
}

const char* name(Basis b) {
  switch (b) {
    case Basis::computed: return "computed";
    case Basis::arithmetic: return "arithmetic";
    case Basis::cited: return "cited";
  }
  throw std::logic_error("name: no such basis");
}

Outcome arithmetic(Outcome o) {
  o.basis = Basis::arithmetic;
  return o;
}

Outcome exact(long long printed, long long ours) {
  return {std::to_string(printed), std::to_string(ours), verdict_of(printed == ours)};
}

Outcome exact(std::string printed, std::string ours) {
  const Verdict v = verdict_of(printed == ours);
  return {std::move(printed), std::move(ours), v};
}

Outcome within(const std::string& printed, double ours, double units) {
  char* rest = nullptr;
  const double value = std::strtod(printed.c_str(), &rest);
  if (rest == printed.c_str() || *rest != 0)
    throw std::logic_error("within: '" + printed + "' is not a number");
  const std::size_t e = std::min(printed.find_first_of("eE"), printed.size());
  const std::size_t point = std::min(printed.find('.'), e);
  const int decimals = point < e ? static_cast<int>(e - point) - 1 : 0;
  const int exponent = e < printed.size() ? std::atoi(printed.c_str() + e + 1) : 0;
  const double unit = std::pow(10.0, exponent - decimals);
  // ours with two more digits than printed; the last one shows rounding in the comparison
  const std::string shown = e < printed.size() ? fmt::format("{:.{}e}", ours, decimals + 2)
                                               : fmt::format("{:.{}f}", ours, decimals + 2);
  return {printed, shown, verdict_of(std::abs(ours - value) <= units * unit * (1 + 1e-9))};
}

Outcome roughly(std::string printed_text, double printed, std::string ours_text, double ours,
                double tolerance) {
  return {std::move(printed_text), std::move(ours_text),
          verdict_of(std::abs(ours - printed) <= tolerance)};
}

Outcome holds(std::string printed, bool borne_out, std::string ours) {
  return {std::move(printed), std::move(ours), verdict_of(borne_out)};
}

Outcome among(std::string printed, const std::vector<Reading>& readings) {
  std::string all;
  for (const Reading& r : readings) {
    if (r.gives == printed)
      return {std::move(printed), fmt::format("{} ({})", r.gives, r.of), Verdict::reproduced};
    all += fmt::format("{}{} ({})", all.empty() ? "" : "; ", r.gives, r.of);
  }
  return {std::move(printed), std::move(all), Verdict::not_derivable};
}

Outcome beyond(std::string printed, std::string ours) {
  return {std::move(printed), std::move(ours), Verdict::not_derivable};
}

Outcome cited(std::string printed, std::string ours) {
  return {std::move(printed), std::move(ours), Verdict::not_derivable, Basis::cited};
}

}  // namespace parid::papers
