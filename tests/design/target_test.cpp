// Targets as data: files that come with the library, and those of users.

#include "design/target.hpp"

#include <gtest/gtest.h>

#include "parid/design.hpp"
#include "parid/error.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::string said_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
bool names(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Targets, AllComeWithTheLibrary) {
  std::vector<std::string> ids;
  for (const DesignTargetInfo& t : design_targets()) {
    ids.push_back(t.id);
    EXPECT_FALSE(t.title.empty());
    EXPECT_FALSE(t.sources.empty()) << t.id;
    for (const auto& [key, text] : t.sources) EXPECT_GE(text.size(), 3u) << t.id << " " << key;
  }
  for (const char* id : {"cortex-m0plus", "cortex-m4f", "cortex-m7", "raspberry-pi-4", "x86",
                         "transputer", "ice40-hx8k", "ecp5-85k", "artix-35t", "paper-8086",
                         "paper-pdp11", "paper-cordic", "paper-lathrop"})
    EXPECT_NE(std::find(ids.begin(), ids.end(), id), ids.end()) << id;
}

TEST(Targets, AreReadBackFromTheirOwnText) {
  for (const design::EmbeddedTarget& e : design::embedded_targets()) {
    const design::Target t = design::target(e.name);
    const design::Target again = design::parse_target(design::toml_of(t), t.id + ".toml");
    EXPECT_EQ(again.id, t.id);
    EXPECT_EQ(again.kind, t.kind);
    EXPECT_EQ(again.word, t.word);
    EXPECT_EQ(again.most_processors, t.most_processors);
    EXPECT_EQ(again.program_memory, t.program_memory);
    EXPECT_EQ(again.price, t.price);
    EXPECT_EQ(again.luts, t.luts);
    EXPECT_EQ(again.multiplier_bits, t.multiplier_bits);
    EXPECT_EQ(again.as_written, t.as_written);
    EXPECT_NEAR(again.time.add, t.time.add, 1e-12 * t.time.add) << t.id;
    EXPECT_NEAR(again.time.sine, t.time.sine, 1e-12 * t.time.sine) << t.id;
    EXPECT_EQ(again.message_word, t.message_word);
    EXPECT_EQ(again.latency, t.latency);
    EXPECT_EQ(again.source, t.source);
  }
}

TEST(Targets, NumbersOfProcessorsComeFirst) {
  EXPECT_EQ(design::asked_target("4x cortex-m4f").processors, 4);
  EXPECT_EQ(design::asked_target("12xtransputer").processors, 12);
  EXPECT_FALSE(design::asked_target("x86").processors.has_value());
  EXPECT_TRUE(names(said_of([] { design::asked_target("3x cortex-m0plus"); }), "at most 2"));
  EXPECT_TRUE(names(said_of([] { design::asked_target("2x ecp5-85k"); }), "not a number of"));
  EXPECT_TRUE(names(said_of([] { design::target("cortex-m4"); }), "did you mean 'cortex-m4f'"));
}

TEST(Targets, MistakesHaveAPlaceAndARemedy) {
  const std::string good =
      "title = \"mine\"\nkind = \"processors\"\nclock = 1e8\ncycles = {add = 1, multiply = 2}\n"
      "[sources]\nclock = \"data sheet\"\ncycles = \"measured\"\n";
  const design::Target t = design::parse_target(good, "mine.toml");
  EXPECT_DOUBLE_EQ(t.time.multiply, 2e-8);
  EXPECT_FALSE(t.price.has_value()) << "unknown stays absent";
  const auto without = [&](const std::string& part, const std::string& with) {
    std::string text = good;
    text.replace(text.find(part), part.size(), with);
    return said_of([&] { design::parse_target(text, "mine.toml"); });
  };
  const std::string unsourced = without("cycles = \"measured\"\n", "");
  EXPECT_TRUE(names(unsourced, "mine.toml:4") && names(unsourced, "'cycles' has no source"))
      << unsourced;
  EXPECT_TRUE(names(without("clock = 1e8", "clock = -1"), "mine.toml:3: clock is -1"));
  EXPECT_TRUE(names(without("clock = 1e8", "clok = 1e8"), "clok"));
  EXPECT_TRUE(names(without("multiply", "multply"), "multply"));
  EXPECT_TRUE(names(without("clock = \"data sheet\"\n", "clock = \"x\"\nprice = \"y\"\n"),
                    "which the file does not give"));
  const Scratch folder;
  const std::string path = folder.file("mine.toml", good);
  EXPECT_EQ(design::target(path).title, "mine");
}

// The time that a target's operations take, by hand.
TEST(Targets, TimesAreSums) {
  const design::Target t = design::target("paper-8086");
  Counts c;
  c.additions = 2;
  c.multiplications = 1;
  EXPECT_NEAR(t.seconds_of(c), 0.135e-3, 1e-12) << "a level of Dhanaraj's Table 4.8";
}

}  // namespace
}  // namespace parid::test
