// The journal of an unfinished batch: its identity and its records.

#include "cluster/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(Journals, BelongToOneRunAtATime) {
  const Scratch scratch;
  const std::string path = scratch.path("journal");
  EXPECT_FALSE(Journal::hold(path));
  const char* at_work = "another `parid batch` is writing this output";
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
    second.mark(1, {0, 5});
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

constexpr std::size_t record_bytes = 24;

std::string with(std::string bytes, std::size_t at, char value) {
  bytes[at] = value;
  return bytes;
}

// A journal of ten blocks of which the even ones are done.
std::string half_done(const std::string& path) {
  {
    Journal j = Journal::create(path, {{"robot", "a"}, {"block", "64"}}, 10, nullptr);
    for (std::uint64_t b = 0; b < 10; b += 2)
      j.mark(b, {static_cast<std::uint32_t>(b), 77 * b + 1});
    j.flush();
  }
  std::string bytes = content(path);
  std::filesystem::remove(path);
  return bytes;
}

Journal read_back(const Scratch& scratch, const std::string& bytes) {
  std::filesystem::remove(scratch.path("journal"));
  Journal j = *Journal::hold(scratch.file("journal", bytes));
  j.read();
  return j;
}

TEST(Journals, KeepTheirRecords) {
  const Scratch scratch;
  const Journal j = read_back(scratch, half_done(scratch.path("journal")));
  EXPECT_EQ(j.damaged(), 0u);
  for (std::uint64_t b = 0; b < 10; ++b) {
    ASSERT_EQ(j.records()[b].has_value(), b % 2 == 0) << b;
    if (b % 2 == 0) {
      EXPECT_EQ(*j.records()[b], (BlockRecord{static_cast<std::uint32_t>(b), 77 * b + 1}));
    }
  }
}

TEST(Journals, AHeaderWithAnyOtherByteIsRefused) {
  const Scratch scratch;
  const std::string bytes = half_done(scratch.path("journal"));
  const std::size_t end = bytes.find("\n\n");
  ASSERT_NE(end, std::string::npos);
  for (std::size_t at = 0; at < end; ++at) {
    const std::string text =
        complaint([&] { read_back(scratch, with(bytes, at, static_cast<char>(bytes[at] ^ 1))); });
    EXPECT_TRUE(contains(text, "`restart`")) << at << ": " << text;
  }
}

// A number that fits another: blocks of twice the size, half as many records.
TEST(Journals, AHeaderThatWasEditedIsRefused) {
  const Scratch scratch;
  std::string bytes = half_done(scratch.path("journal"));
  bytes.replace(bytes.find("block 64"), 8, "block 99");
  EXPECT_TRUE(contains(complaint([&] { read_back(scratch, bytes); }), "damaged"));
}

TEST(Journals, ARecordWithAnyOtherByteIsNotDone) {
  const Scratch scratch;
  const std::string bytes = half_done(scratch.path("journal"));
  const std::size_t begin = bytes.size() - 10 * record_bytes;
  for (std::size_t at = begin; at < bytes.size(); ++at)
    for (const char value : {'\0', '\1', '\xff'}) {
      if (bytes[at] == value) continue;
      const Journal j = read_back(scratch, with(bytes, at, value));
      const std::size_t block = (at - begin) / record_bytes;
      EXPECT_EQ(j.damaged(), 1u) << at;
      EXPECT_FALSE(j.records()[block]) << at;
      for (std::size_t b = 0; b < 10; b += 2) {
        EXPECT_TRUE(b == block || j.records()[b]) << at;
      }
    }
}

// A record that is right for one block is not for another, nor in another batch's journal.
TEST(Journals, RecordsBelongToTheirPlace) {
  const Scratch scratch;
  std::string bytes = half_done(scratch.path("journal"));
  const std::size_t begin = bytes.size() - 10 * record_bytes;
  bytes.replace(begin + record_bytes, record_bytes, bytes.substr(begin, record_bytes));
  const std::string records = bytes.substr(begin);
  EXPECT_EQ(read_back(scratch, bytes).damaged(), 1u);
  std::filesystem::remove(scratch.path("journal"));
  { Journal::create(scratch.path("journal"), {{"robot", "b"}, {"block", "64"}}, 10, nullptr); }
  std::string other = content(scratch.path("journal"));
  other.replace(other.size() - records.size(), records.size(), records);
  EXPECT_TRUE(read_back(scratch, other).is_empty());
}

}  // namespace
}  // namespace parid::test
