// parid reproduce: every number that the papers print, ours beside it, and why they differ.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cli/command.hpp"
#include "cli/json.hpp"
#include "cli/markdown.hpp"
#include "cli/progress.hpp"
#include "parid/error.hpp"
#include "parid/model/spelling.hpp"
#include "parid/record/seeds.hpp"
#include "parid/run/crew.hpp"

namespace parid::cli {
namespace {

using namespace papers;

struct Options {
  std::string seed;
  bool json = false, markdown = false, errata = false;
} o;

std::vector<Seed> asked_seeds() {
  if (o.seed.empty()) return seeds();
  std::vector<std::string> known;
  for (const Seed& s : seeds()) {
    if (s.id == o.seed) return {s};
    known.push_back(s.id);
  }
  throw Error(fmt::format("there is no paper '{}'; {}choose from {}", o.seed,
                          did_you_mean(o.seed, known), fmt::join(known, ", ")));
}

using Tally = std::map<Verdict, int>;

Tally tally(const std::vector<Claim>& claims, const std::string& seed) {
  Tally t{{Verdict::reproduced, 0}, {Verdict::refuted, 0}, {Verdict::not_derivable, 0}};
  for (const Claim& c : claims) t[c.verdict] += seed.empty() || c.seed == seed;
  return t;
}

std::string tally_text(const Tally& t) {
  int all = 0;
  std::string parts;
  for (const auto& [verdict, count] : t) {
    all += count;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, name(verdict));
  }
  return fmt::format("{} claims: {}", all, parts);
}

void print_text(const std::vector<Seed>& asked, const std::vector<Claim>& claims) {
  for (const Seed& s : asked) {
    fmt::print("{}\n", s.title);
    std::string where;
    for (const Claim& c : claims) {
      if (c.seed != s.id) continue;
      if (c.where != where) fmt::print("\n  {}\n", where = c.where);
      fmt::print("    {}\n", c.what);
      fmt::print("      printed  {}\n      ours     {}\n      {}: {}\n      by {}\n", c.printed,
                 c.ours, name(c.verdict), c.reason, c.code);
    }
    fmt::print("\n  {}\n\n", tally_text(tally(claims, s.id)));
  }
  if (asked.size() > 1) fmt::print("{}\n", tally_text(tally(claims, "")));
}

void print_markdown(const std::vector<Seed>& asked, const std::vector<Claim>& claims) {
  if (asked.size() > 1) {
    MarkdownTable table({"paper", "claims", "reproduced", "refuted", "not derivable"}, 1);
    auto row = [&](const std::string& seed, const std::string& shown) {
      const Tally t = tally(claims, seed);
      int all = 0;
      for (const auto& [verdict, count] : t) all += count;
      table.add({shown, std::to_string(all), std::to_string(t.at(Verdict::reproduced)),
                 std::to_string(t.at(Verdict::refuted)),
                 std::to_string(t.at(Verdict::not_derivable))});
    };
    for (const Seed& s : asked) row(s.id, fmt::format("[{}](#{})", s.id, s.id));
    row("", "all");
    table.print();
  }
  for (const Seed& s : asked) {
    fmt::print("\n## {}\n\n{}\n\n", s.id, s.title);
    MarkdownTable table({"where", "claim", "printed", "ours", "verdict", "why", "computed by"});
    for (const Claim& c : claims)
      if (c.seed == s.id)
        table.add(
            {c.where, c.what, c.printed, c.ours, name(c.verdict), c.reason, "`" + c.code + "`"});
    table.print();
  }
}

Json json_of(const std::vector<Seed>& asked, const std::vector<Claim>& claims) {
  Json all = Json::array(), papers = Json::array();
  for (const Seed& s : asked) papers.push_back({{"id", s.id}, {"title", s.title}});
  for (const Claim& c : claims)
    all.push_back({{"seed", c.seed},
                   {"where", c.where},
                   {"what", c.what},
                   {"printed", c.printed},
                   {"ours", c.ours},
                   {"verdict", name(c.verdict)},
                   {"reason", c.reason},
                   {"code", c.code}});
  const Tally t = tally(claims, "");
  Json counts;
  for (const auto& [verdict, count] : t) counts[name(verdict)] = count;
  return {
      {"schema", "parid.reproduce/1"}, {"seeds", papers}, {"verdicts", counts}, {"claims", all}};
}

// ---- errata

int run_errata(const std::vector<Seed>& asked) {
  const std::vector<Erratum> all = errata(asked);
  if (o.json) {
    Json list = Json::array();
    for (const Erratum& e : all)
      list.push_back({{"seed", e.seed},
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
    std::string seed;
    for (const Erratum& e : all) {
      if (e.seed != seed) fmt::print("{}{}\n", seed.empty() ? "" : "\n", seed = e.seed);
      fmt::print("  {}: {}\n    corrected  {}\n    effect     {}\n", e.where, e.printed,
                 e.corrected, e.effect);
    }
  }
  return 0;
}

int run() {
  const std::vector<Seed> asked = asked_seeds();
  if (o.errata) return run_errata(asked);
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
    fmt::print(stderr, "{}, {}: {}: {}, which is not what its reason explains\n", c.seed, c.where,
               c.what, name(c.verdict));
  }
  return explained ? 0 : 1;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  CLI::App* c = app.add_subcommand(
      "reproduce", "every number that the papers print, ours beside it, and why they differ");
  std::string names;
  for (const papers::Seed& s : papers::seeds())
    names += (names.empty() ? "" : ", ") + std::string(s.id);
  c->add_option("SEED", o.seed, "one paper: " + names + " (default: all)");
  CLI::Option* json = c->add_flag("--json", o.json, "one JSON object on standard output");
  c->add_flag("--markdown", o.markdown, "as docs/record.md has it")->excludes(json);
  c->add_flag("--errata", o.errata,
              "for those who implement from the papers: what is wrong, what is right, and what it "
              "does to a torque");
  c->footer(
      "A verdict is computed from what is printed and what our code gives: reproduced, refuted, or "
      "not "
      "derivable\n"
      "(it needs something that is not printed). Exit code 1: a verdict is not the one that its "
      "reason "
      "explains.\n"
      "Examples:  parid reproduce hollerbach\n"
      "           parid reproduce lathrop --errata\n"
      "           parid reproduce --json");
  c->callback([&action] { action = run; });
}

}  // namespace parid::cli
