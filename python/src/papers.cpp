// The papers' claims with our values, and the errata of their equations.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text/spelling.hpp"
#include "base/threads/thread_pool.hpp"
#include "bindings.hpp"
#include "papers/papers.hpp"

namespace parid::python {
namespace {

std::vector<papers::Paper> asked(const std::optional<std::string>& paper) {
  if (!paper) return papers::all_papers();
  std::vector<std::string> known;
  for (const papers::Paper& s : papers::all_papers()) {
    if (*paper == s.id) return {s};
    known.push_back(s.id);
  }
  throw Error(fmt::format("unknown paper '{}'; {}choose from {}", *paper,
                          did_you_mean(*paper, known), fmt::join(known, ", ")));
}

py::list claims(const std::optional<std::string>& paper) {
  std::vector<papers::Claim> found;
  {
    const Unlocked unlocked;
    found = papers::reproduce(asked(paper), available_cores());
  }
  py::list all;
  for (const papers::Claim& c : found) {
    py::dict d;
    d["paper"] = c.paper;
    d["where"] = c.where;
    d["what"] = c.what;
    d["printed"] = c.printed;
    d["ours"] = c.ours;
    d["verdict"] = name(c.verdict);
    d["basis"] = name(c.basis);
    d["reason"] = c.reason;
    d["code"] = c.code;
    d["explained"] = c.explained;
    all.append(d);
  }
  return all;
}

py::list errata_of(const std::optional<std::string>& paper) {
  std::vector<papers::Erratum> found;
  {
    const Unlocked unlocked;
    found = papers::errata(asked(paper));
  }
  py::list all;
  for (const papers::Erratum& e : found) {
    py::dict d;
    d["paper"] = e.paper;
    d["where"] = e.where;
    d["printed"] = e.printed;
    d["corrected"] = e.corrected;
    d["effect"] = e.effect;
    d["code"] = e.code;
    all.append(d);
  }
  return all;
}

}  // namespace

void add_papers(py::module_& m) {
  m.def("reproduce", claims);
  m.def("errata", errata_of);
  m.def("papers", [] {
    py::list all;
    for (const papers::Paper& s : papers::all_papers()) all.append(py::make_tuple(s.id, s.title));
    return all;
  });
}

}  // namespace parid::python
