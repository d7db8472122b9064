// parid reproduce: the claims of five papers, our values, and the reasons for differences.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include <algorithm>
#include <map>

#include "base/text/spelling.hpp"
#include "base/threads/thread_pool.hpp"
#include "cli/command.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "papers/papers.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace reproduce_command {
namespace {

using namespace papers;

struct Options {
  std::string paper;
  bool json = false, markdown = false, errata = false;
};

std::vector<Paper> asked_papers(const Options& o) {
  if (o.paper.empty()) return all_papers();
  std::vector<std::string> known;
  for (const Paper& s : all_papers()) {
    if (s.id == o.paper) return {s};
    known.push_back(s.id);
  }
  throw Error(fmt::format("unknown paper '{}'; {}choose from {}", o.paper,
                          did_you_mean(o.paper, known), fmt::join(known, ", ")));
}

// Claims by verdict, and within a verdict by the basis of our value.
struct Tally {
  std::map<Verdict, std::map<Basis, int>> of;

  int count(Verdict v) const {
    int all = 0;
    for (const auto& [basis, n] : of.at(v)) all += n;
    return all;
  }
  int all() const {
    int sum = 0;
    for (const auto& [verdict, parts] : of) sum += count(verdict);
    return sum;
  }
};

Tally tally(const std::vector<Claim>& claims, const std::string& paper) {
  Tally t;
  for (const Verdict v : {Verdict::reproduced, Verdict::refuted, Verdict::not_derivable})
    for (const Basis b : bases) t.of[v][b] = 0;
  for (const Claim& c : claims) t.of[c.verdict][c.basis] += paper.empty() || c.paper == paper;
  return t;
}

std::string tally_text(const Tally& t) {
  std::string parts;
  for (const auto& [verdict, by_basis] : t.of) {
    std::string how;
    for (const auto& [basis, n] : by_basis)
      if (n > 0) how += fmt::format("{}{} {}", how.empty() ? "" : ", ", n, name(basis));
    parts += fmt::format("{}{} {}{}", parts.empty() ? "" : ", ", t.count(verdict), name(verdict),
                         how.empty() ? "" : " (" + how + ")");
  }
  return fmt::format("{} claims: {}", t.all(), parts);
}

void print_text(const std::vector<Paper>& asked, const std::vector<Claim>& claims) {
  for (const Paper& s : asked) {
    fmt::print("{}\n", s.title);
    std::string where;
    for (const Claim& c : claims) {
      if (c.paper != s.id) continue;
      if (c.where != where) fmt::print("\n  {}\n", where = c.where);
      fmt::print("    {}\n", c.what);
      fmt::print("      printed  {}\n      ours     {}\n      {} ({}): {}\n      by {}\n",
                 c.printed, c.ours, name(c.verdict), name(c.basis), c.reason, c.code);
    }
    fmt::print("\n  {}\n\n", tally_text(tally(claims, s.id)));
  }
  if (asked.size() > 1) fmt::print("{}\n", tally_text(tally(claims, "")));
}

void print_markdown(const std::vector<Paper>& asked, const std::vector<Claim>& claims) {
  if (asked.size() > 1) {
    MarkdownTable table({"paper", "claims", "reproduced, computed", "reproduced, arithmetic",
                         "refuted, computed", "refuted, arithmetic", "not derivable"},
                        1);
    auto row = [&](const std::string& paper, const std::string& shown) {
      const Tally t = tally(claims, paper);
      auto cell = [&](Verdict v, Basis b) { return std::to_string(t.of.at(v).at(b)); };
      table.add({shown, std::to_string(t.all()), cell(Verdict::reproduced, Basis::computed),
                 cell(Verdict::reproduced, Basis::arithmetic),
                 cell(Verdict::refuted, Basis::computed), cell(Verdict::refuted, Basis::arithmetic),
                 std::to_string(t.count(Verdict::not_derivable))});
    };
    for (const Paper& s : asked) row(s.id, fmt::format("[{}](#{})", s.id, s.id));
    row("", "all");
    table.print();
  }
  for (const Paper& s : asked) {
    fmt::print("\n## {}\n\n{}\n\n", s.id, s.title);
    MarkdownTable table(
        {"where", "claim", "printed", "ours", "verdict", "basis", "why", "computed by"});
    for (const Claim& c : claims)
      if (c.paper == s.id)
        table.add({c.where, c.what, c.printed, c.ours, name(c.verdict), name(c.basis), c.reason,
                   "`" + c.code + "`"});
    table.print();
  }
}

Json json_of(const std::vector<Paper>& asked, const std::vector<Claim>& claims) {
  Json all = Json::array(), papers = Json::array();
  for (const Paper& s : asked) papers.push_back({{"id", s.id}, {"title", s.title}});
  for (const Claim& c : claims)
    all.push_back({{"paper", c.paper},
                   {"seed", c.paper},  // its older name
                   {"where", c.where},
                   {"what", c.what},
                   {"printed", c.printed},
                   {"ours", c.ours},
                   {"verdict", name(c.verdict)},
                   {"basis", name(c.basis)},
                   {"reason", c.reason},
                   {"code", c.code}});
  const Tally t = tally(claims, "");
  Json counts, by_basis;
  for (const auto& [verdict, parts] : t.of) {
    counts[name(verdict)] = t.count(verdict);
    for (const auto& [basis, n] : parts) by_basis[name(verdict)][name(basis)] = n;
  }
  return {{"schema", "parid.reproduce/1"},
          {"papers", papers},
          {"seeds", papers},  // its older name
          {"verdicts", counts},
          {"bases", by_basis},
          {"claims", all}};
}

// ---- errata

int run_errata(const Options& o, const std::vector<Paper>& asked) {
  const std::vector<Erratum> all = errata(asked);
  if (o.json) {
    Json list = Json::array();
    for (const Erratum& e : all)
      list.push_back({{"paper", e.paper},
                      {"seed", e.paper},  // its older name
                      {"where", e.where},
                      {"printed", e.printed},
                      {"corrected", e.corrected},
                      {"effect", e.effect},
                      {"code", e.code}});
    print({{"schema", "parid.reproduce.errata/1"}, {"errata", list}});
  } else if (o.markdown) {
    MarkdownTable table({"where", "printed", "corrected", "effect"});
    for (const Erratum& e : all) table.add({e.where, e.printed, e.corrected, e.effect});
    table.print();
  } else {
    std::string paper;
    for (const Erratum& e : all) {
      if (e.paper != paper) fmt::print("{}{}\n", paper.empty() ? "" : "\n", paper = e.paper);
      fmt::print("  {}: {}\n    corrected  {}\n    effect     {}\n", e.where, e.printed,
                 e.corrected, e.effect);
    }
  }
  return 0;
}

int run(const Options& o) {
  const std::vector<Paper> asked = asked_papers(o);
  if (o.errata) return run_errata(o, asked);
  const std::vector<Claim> claims = [&] {
    Progress progress("reproducing");
    return reproduce(asked, available_cores(), [&](double share) { progress.at(share); });
  }();
  if (o.json)
    print(json_of(asked, claims));
  else if (o.markdown)
    print_markdown(asked, claims);
  else
    print_text(asked, claims);
  bool explained = true;
  for (const Claim& c : claims) {
    if (c.explained) continue;
    explained = false;
    say("{}, {}: {}: {}, which differs from the explained verdict\n", c.paper, c.where, c.what,
        name(c.verdict));
  }
  return explained ? 0 : 1;
}

}  // namespace
}  // namespace reproduce_command

void add_reproduce(CLI::App& app, Action& action) {
  using namespace reproduce_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand("reproduce", "Reproduce the papers' published numbers");
  std::string names;
  for (const papers::Paper& s : papers::all_papers())
    names += (names.empty() ? "" : ", ") + std::string(s.id);
  c->add_option("PAPER", o.paper, "one paper: " + names + " (default: all)");
  CLI::Option* json = c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->add_flag("--markdown", o.markdown, "print Markdown, as in docs/papers.md")->excludes(json);
  c->add_flag(
      "--errata", o.errata,
      "list the errors of the papers: printed and corrected form, and the effect on a torque");
  c->footer(
      "Each claim gets a verdict: reproduced, refuted, or not derivable (it needs something that "
      "is not printed).\nThe basis is computed (by Parid), arithmetic (printed numbers only) or "
      "cited (nothing can be computed).\nExit code 1: a verdict differs from the one that its "
      "reason explains.\nExamples:  parid reproduce hollerbach\n           parid reproduce lathrop "
      "--errata\n           parid reproduce --json");
  c->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace parid::cli
