#include "base/file/csv.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <clocale>
#include <random>

#include "tests/base/scratch.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

Table read(const std::string& text) {
  Scratch scratch;
  return read_csv(scratch.file("in.csv", text));
}

// The complaint about `text`, with the directory left out: "in.csv:2: ...".
std::string refusal(const std::string& text, const CsvOptions& options = {}) {
  Scratch scratch;
  const std::string path = scratch.file("in.csv", text);
  const std::string full = complaint([&] { read_csv(path, options); });
  return full.substr(0, path.size()) == path ? full.substr(path.size() - 6) : full;
}

TEST(Csv, ProgressIsTheShareThatWasRead) {
  Scratch scratch;
  std::string text = "x\n";
  for (int k = 0; k < 200'000; ++k) text += "0.125\n";
  std::vector<double> shares;
  CsvOptions options;
  options.threads = 1;
  options.progress = [&](double share) { shares.push_back(share); };
  read_csv(scratch.file("long.csv", text), options);
  ASSERT_GE(shares.size(), 4u);  // once for each buffer
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(shares.front(), 0.1);
  EXPECT_LT(shares.front(), 0.5);
  EXPECT_NEAR(shares.back(), 1, 0.01);
}

TEST(Csv, ReadsWhatPeopleWrite) {
  const Table plain = read("t,q:elbow\n0,1\n0.5,-2e-3\n");
  EXPECT_EQ(plain.columns, (std::vector<std::string>{"t", "q:elbow"}));
  EXPECT_EQ(plain.rows, 2u);
  EXPECT_EQ(plain.data, (std::vector<double>{0, 1, 0.5, -2e-3}));
  EXPECT_EQ(plain.find("q:elbow"), 1u);
  EXPECT_EQ(plain.find("q:wrist"), std::nullopt);
  EXPECT_EQ(plain.at(1, 1), -2e-3);

  for (const char* same : {
           "t,q:elbow\r\n0,1\r\n0.5,-2e-3\r\n",               // Windows
           "t,q:elbow\n0,1\n0.5,-2e-3",                       // no line end at the end
           "\xef\xbb\xbft,q:elbow\n0,1\n0.5,-2e-3\n",         // byte order mark
           "  t ,\tq:elbow  \n 0 ,\t1\n+0.5 , -2E-3 \t\n\n",  // blanks, plus, empty line
           "# made by hand\nt,q:elbow\n#\n0,1\n  # half\n0.5,-.002\n",
           "\"t\", \"q:elbow\" \n0.,+1.\n5e-1,-2e-03\n",
       }) {
    const Table table = read(same);
    EXPECT_EQ(table.columns, plain.columns) << same;
    EXPECT_EQ(table.data, plain.data) << same;
  }
}

TEST(Csv, NamesInQuotesMayHoldAnything) {
  const Table table = read("\"a, b\",\"say \"\"hi\"\"\",\"12\"\n1,2,3\n");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"a, b", "say \"hi\"", "12"}));
}

TEST(Csv, KnowsTheLineOfEveryRow) {
  const Table table = read("# top\nt\n1\n2\n# between\n\n3\n4\n#\n5\n");
  EXPECT_EQ(table.header_line, 2);
  std::vector<int> lines;
  for (std::size_t row = 0; row < table.rows; ++row) lines.push_back(table.line_of(row));
  EXPECT_EQ(lines, (std::vector<int>{3, 4, 7, 8, 10}));
  EXPECT_EQ(table.runs.size(), 3u);
  EXPECT_EQ(table.place_of(2).line, 7);
}

TEST(Csv, RoundsToTheNearestDouble) {
  const Table table = read("x\n1e-400\n-1e-400\n2e-324\n3e-324\n0." + std::string(400, '0') +
                           "1\n1.7976931348623158e308\n9007199254740993\n");
  EXPECT_EQ(bits(table.data),
            bits({0.0, -0.0, 0.0, 5e-324, 0.0, 0x1.fffffffffffffp1023, 9007199254740992.0}));
}

TEST(Csv, EveryDoubleComesBackBitForBit) {
  const std::vector<double> values = awkward_doubles(30'000);
  Scratch scratch;
  const std::string path = scratch.path("out.csv");
  write_csv(path, {"a", "b", "c"}, values);
  const Table table = read_csv(path);
  EXPECT_EQ(table.rows, 10'000u);
  EXPECT_TRUE(bits(table.data) == bits(values));
}

TEST(Csv, WritesTheFewestDigits) {
  Scratch scratch;
  const std::string path = scratch.path("out.csv");
  write_csv(path, {"t", "tau:a"}, std::vector<double>{0, 0.1, 0.25, -0.0, 1e300, 5e-324});
  EXPECT_EQ(content(path), "t,tau:a\n0,0.1\n0.25,-0\n1e+300,5e-324\n");
}

TEST(Csv, EveryNameComesBack) {
  const std::vector<std::string> names = {"# t", "a,b", " padded ", "\"",  "12",
                                          "+3",  "nan", "é",        "a b", "x;y"};
  Scratch scratch;
  const std::string path = scratch.path("out.csv");
  write_csv(path, names, std::vector<double>(names.size(), 1.0));
  EXPECT_EQ(read_csv(path).columns, names);
  for (const std::string& name : names) {
    write_csv(path, {name}, std::vector<double>{1});
    EXPECT_EQ(read_csv(path).columns, std::vector<std::string>{name});
  }
  EXPECT_EQ(complaint([&] { write_csv(path, {"a\nb"}, std::vector<double>{1}); }),
            path + ": invalid column name: 'a\\x0ab'; use printable characters");
}

TEST(Csv, IgnoresTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale here";
  const Table table = read("x\n0.5\n1e-400\n");
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(table.data, (std::vector<double>{0.5, 0}));
}

TEST(Csv, SaysWhatIsWrongAndWhatWouldBeRight) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "in.csv: the file is empty; start with a header such as t,q1,v1,a1"},
      {"\n# nothing\n\n", "in.csv: the file is empty; start with a header such as t,q1,v1,a1"},
      {"\xef\xbb\xbf", "in.csv: the file is empty; start with a header such as t,q1,v1,a1"},
      {"t,q\n# none\n",
       "in.csv: the table has a header but no rows; add a line of numbers under the header"},
      {"\n0,1.5\n",
       "in.csv:2: the first line contains numbers, not column names; start with a header such as "
       "t,q1,v1,a1"},
      {"# t,q\n0,nan\n",
       "in.csv:2: the first line contains numbers, not column names; if line 1 is the header, "
       "remove its '#'; otherwise start with a header such as t,q1,v1,a1"},
      {"t,q,t\n0,1,2\n", "in.csv:1: column 't' appears twice; give every column a unique name"},
      {"t,,q\n0,1,2\n", "in.csv:1: column 2 has no name; name the column"},
      {"t,q,\n0,1,2\n",
       "in.csv:1: column 3 has no name; name the column, or remove the trailing comma"},
      {"t;q\n0;1\n",
       "in.csv:1: the header 't;q' contains no comma; separate the columns by commas"},
      {"\"t,q\n0,1\n",
       "in.csv:1: the closing quote of a column name is missing; add a \" after the name"},
      {"\"t\"x,q\n0,1\n",
       "in.csv:1: 'x' follows a quoted column name; put a comma after the closing quote"},
      {"t\rq\r",
       "in.csv:1: lines end in a carriage return only; save the file with LF or CRLF line endings"},
      {"caf\xe9,q\n", "in.csv:1: the header is not UTF-8: 'caf\\xe9,q'; save the file as UTF-8"},
      {"t\x01\x02,q\n",
       "in.csv:1: this is not a text file: the header is 't\\x01\\x02,q'; give a table of "
       "comma-separated numbers"},
      {"t,q\n0,1\n\n0\n",
       "in.csv:4: found 1 value, but the header has 2 columns; give one value for each column"},
      {"t\n0,1,2\n",
       "in.csv:2: found 3 values, but the header has 1 column; give one value for each column"},
      {"t,q\n0,1,\n",
       "in.csv:2: found 3 values, but the header has 2 columns; remove the trailing comma"},
      {"t,q\n0,1.5x\n",
       "in.csv:2: column 'q' has '1.5x', which is not a number; write it like 0.25 or 2.5e-1"},
      {"t,q\n0,0x10\n",
       "in.csv:2: column 'q' has '0x10', which is not a number; write it like 0.25 or 2.5e-1"},
      {"t,q\n0,+-1\n",
       "in.csv:2: column 'q' has '+-1', which is not a number; write it like 0.25 or 2.5e-1"},
      {"t,q\n0, 1\x1b[0m and so on without any end in sight at all \n",
       "in.csv:2: column 'q' has '1\\x1b[0m and so on without any end in sight...', which is not a "
       "number; write it like 0.25 or 2.5e-1"},
      {"t,q\n0, \n", "in.csv:2: column 'q' is empty; give a number"},
      {"t,q\n0,nan\n", "in.csv:2: column 'q' is not a number: 'nan'; give a finite number"},
      {"t,q\n0,-Inf\n", "in.csv:2: column 'q' is infinite: '-Inf'; give a finite number"},
      {"t,q\n0,+1e400\n", "in.csv:2: column 'q' is infinite: '+1e400'; give a finite number"},
      {"t,q\n0,1\n\x01\x02\x03\x04\n",
       "in.csv:3: this is not a text file: it has '\\x01\\x02\\x03\\x04'; give a table of "
       "comma-separated numbers"},
      {std::string("t,q\n0,1\n0,\0001\n", 13),
       "in.csv:3: this is not a text file: it has NUL bytes; give a table of comma-separated "
       "numbers"},
      {std::string("\xff\xfet\0,\0q\0\n\0", 10),
       "in.csv: the text is encoded as UTF-16; save it as UTF-8"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(refusal(text), expected);

  EXPECT_EQ(refusal("1,2\n", {.example = "t,q:elbow"}),
            "in.csv:1: the first line contains numbers, not column names; start with a header such "
            "as t,q:elbow");
  EXPECT_EQ(refusal("t,q\n0,1\n2,3\n", {.most_values = 3}),
            "in.csv:3: the table has more than 3 values; split it into several files, or use HDF5 "
            "with `parid batch`");
}

TEST(Csv, SaysWhyAFileCannotBeOpened) {
  Scratch scratch;
  const std::string none = scratch.path("none.csv"), folder = scratch.path("");
  EXPECT_EQ(complaint([&] { read_csv(none); }), none + ": there is no such file; check the path");
  EXPECT_EQ(complaint([&] { read_csv(folder); }), folder + ": this is a directory; give a file");
  EXPECT_EQ(complaint([] { read_csv(""); }), "the name of the input file is empty; give a path");
}

TEST(Csv, SaysThatPermissionIsMissing) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  Scratch scratch;
  const std::string locked = scratch.file("locked.csv", "t\n0\n");
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  EXPECT_EQ(complaint([&] { read_csv(locked); }),
            locked + ": no permission to read; make it readable, for example with chmod u+r");
}

TEST(Csv, ReadsStandardInput) {
  Scratch scratch;
  const int before = dup(STDIN_FILENO);
  const auto from_stdin = [&](const std::string& text) {
    FILE* in = fopen(scratch.file("in", text).c_str(), "r");
    dup2(fileno(in), STDIN_FILENO);
    fclose(in);
    return read_csv("-");
  };
  EXPECT_EQ(from_stdin("t\n7\n").data, std::vector<double>{7});
  EXPECT_EQ(complaint([&] { from_stdin("t\nseven\n"); }),
            "standard input:2: column 't' has 'seven', which is not a number; write it like 0.25 "
            "or 2.5e-1");
  dup2(before, STDIN_FILENO);
  close(before);
}

// Peak memory of this process in MiB, which only ever grows.
long peak_mib() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

TEST(Csv, AnEndlessLineTakesNeitherTimeNorMemory) {
  Scratch scratch;
  const std::string holes = scratch.file("holes.csv", "");
  std::filesystem::resize_file(holes, std::uintmax_t{1} << 30);
  std::string digits_path = scratch.path("digits.csv");
  {
    std::ofstream digits(digits_path);
    digits << "t\n";
    const std::string mebibyte(1 << 20, '1');
    for (int i = 0; i < 64; ++i) digits << mebibyte;
  }
  const long before = peak_mib();
  EXPECT_EQ(
      complaint([&] { read_csv(holes); }),
      holes +
          ":1: this is not a text file: it has NUL bytes; give a table of comma-separated numbers");
  EXPECT_EQ(
      complaint([&] { read_csv(digits_path); }),
      digits_path +
          ":2: this line is longer than 16 MiB; check that this is a table with one row per line");
  EXPECT_LT(peak_mib() - before, instrumented ? 256 : 64);  // sanitizers keep books of memory
}

TEST(Csv, LongLinesWithinTheLimitAreRead) {
  std::string header = "c0", row = "0";
  for (int c = 1; c < 200'000; ++c) {
    header += ",c" + std::to_string(c);
    row += ',';
    row += std::to_string(c);
  }
  const Table table = read(header + "\n" + row + "\n" + row + "\n");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.at(1, 199'999), 199'999);
}

TEST(Csv, LinesMayFallAnywhereInTheBuffer) {
  std::string text = "t,q\n";
  std::vector<double> expected;
  for (int i = 0; i < 100'000; ++i) {
    text += std::to_string(i) + "," + std::string(static_cast<std::size_t>(i % 7), ' ') + "0.5\r\n";
    expected.insert(expected.end(), {double(i), 0.5});
  }
  EXPECT_TRUE(read(text).data == expected);
}

// A table of half a megabyte and more, with the irregularities that a user's file may have.
std::string large_table(std::uint64_t seed, double share_of_irregular_lines) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> number(-10, 10), chance;
  std::string text = "# made by a logger\n t , q:a ,\"q,b\"\n";
  for (int r = 0; r < 40'000; ++r) {
    if (chance(random) < share_of_irregular_lines)
      text += std::array{"\n", "# a remark\n", " \t\r\n", "0, 1e-320 ,+2\r\n"}[random() % 4];
    text += std::to_string(r) + "," + std::to_string(number(random)) + ", -0.12345678901234567\n";
  }
  return text;
}

TEST(Csv, ThreadsReadTheSameTable) {
  Scratch scratch;
  for (const double share : {0.0, 0.0001, 0.3}) {
    const std::string path = scratch.file("large.csv", large_table(5, share));
    const Table one = read_csv(path, {.threads = 1});
    for (const int threads : {2, 3, 7}) {
      const Table many = read_csv(path, {.threads = threads});
      EXPECT_EQ(many.rows, one.rows);
      EXPECT_TRUE(bits(many.data) == bits(one.data));
      ASSERT_EQ(many.runs.size(), one.runs.size());
      for (std::size_t r = 0; r < one.rows; ++r) ASSERT_EQ(many.line_of(r), one.line_of(r));
    }
  }
}

TEST(Csv, ThreadsNameTheSameLine) {
  Scratch scratch;
  const std::string good = large_table(9, 0.0001);
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    std::string text = good;
    // two mistakes, of which the first is reported
    const std::size_t first = text.find('\n', 100 + random() % (text.size() / 2)) + 1;
    text.insert(text.find('\n', first + (text.size() - first) / 2) + 1, "1,2\n");
    text.insert(first, i % 2 ? "1,nan,3\n" : "1,0x2,3\n");
    const std::string path = scratch.file("bad.csv", text);
    const auto line = std::count(text.begin(), text.begin() + static_cast<long>(first), '\n') + 1;
    const std::string one = complaint([&] { read_csv(path, {.threads = 1}); });
    EXPECT_EQ(one.find(path + ":" + std::to_string(line) + ": column 'q:a' "), 0u) << one;
    EXPECT_EQ(complaint([&] { read_csv(path, {.threads = 5}); }), one);
  }
}

TEST(Csv, ThreadsWriteTheSameBytes) {
  Scratch scratch;
  const std::vector<double> values = awkward_doubles(150'000);
  std::string texts[3];
  for (const int threads : {1, 2, 5}) {
    const std::string path = scratch.path("out.csv");
    CsvWriter out(path, {"a", "b", "c"}, threads);
    out.row(std::span(values).first(3));
    out.rows(std::span(values).subspan(3));
    out.commit();
    texts[threads / 2] = content(path);
  }
  EXPECT_TRUE(texts[1] == texts[0]);
  EXPECT_TRUE(texts[2] == texts[0]);
  std::string expected = "a,b,c\n";
  for (std::size_t k = 0; k < values.size(); ++k) {
    char number[64];
    expected.append(number, std::to_chars(number, number + sizeof number, values[k]).ptr);
    expected += k % 3 == 2 ? '\n' : ',';
  }
  EXPECT_TRUE(texts[0] == expected);
}

TEST(Csv, JunkNeverCrashes) {
  Scratch scratch;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string path = scratch.file("junk.csv", random_bytes(100'000, seed));
    refused += !complaint([&] { read_csv(path); }).empty();
  }
  EXPECT_EQ(refused, 100);

  // Nearly right: characters of a table in any order, where the parser goes deeper.
  constexpr char letters[] = "0123456789.,,,\n\n+-eE \t\r\"#qnaif;x";
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    std::string text = random_bytes(200, seed);
    for (char& c : text) c = letters[static_cast<unsigned char>(c) % (sizeof letters - 1)];
    const std::string path = scratch.file("near.csv", (seed % 2 ? "t,q\n0,1\n" : "") + text);
    complaint([&] { read_csv(path); });
  }
}

}  // namespace
}  // namespace parid::test
