// The journal of an unfinished batch: whose it is, and what it keeps.

#include "parid/batch/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.hpp"

namespace parid {
namespace {

TEST(Journals, BelongToOneRunAtATime) {
  const Scratch scratch;
  const std::string path = scratch.path("journal");
  EXPECT_FALSE(Journal::hold(path));
  const char* at_work = "another parid batch is at work on this output";
  {
    const Journal one = Journal::create(path, {{"robot", "a"}}, 3, nullptr);
    EXPECT_TRUE(contains(complaint([&] {
                           Journal::create(path, {{"robot", "b"}}, 3, nullptr);
                         }),
                         at_work));
    EXPECT_TRUE(contains(complaint([&] { Journal::hold(path); }), at_work));
    EXPECT_TRUE(contains(complaint([&] { Journal::join(path); }), at_work));
  }
  std::optional<Journal> old = Journal::hold(path);
  ASSERT_TRUE(old);
  old->read();
  EXPECT_EQ(old->difference({{"robot", "a"}}), "");
  EXPECT_TRUE(old->is_empty());
  std::optional<Journal> next = Journal::create(path, {{"robot", "c"}}, 3, &*old);
  old.reset();
  next->share();
  {
    Journal second = Journal::join(path);
    second.mark(1, 0);
    next.reset();  // the first has gone, the second is still there
    EXPECT_TRUE(contains(complaint([&] { Journal::hold(path); }), at_work));
  }
  std::optional<Journal> last = Journal::hold(path);
  ASSERT_TRUE(last);
  last->read();
  EXPECT_EQ(last->difference({{"robot", "c"}}), "");
  EXPECT_FALSE(last->is_empty());
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(scratch.path("")))
    ++files;
  EXPECT_EQ(files, 1u) << "something was left beside it";
}

}  // namespace
}  // namespace parid
