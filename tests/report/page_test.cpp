// The page around the data: data of any content remain data.

#include "report/page.hpp"

#include <gtest/gtest.h>

#include "report/base64.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++n;
  return n;
}

TEST(Page, HasTheDataWithoutATagInThem) {
  const ReportPage empty{"a", "{}", ""};
  const ReportPage evil{"a", R"({"x":"</script><script>alert(1)</script><!--"})", ""};
  EXPECT_EQ(count(text(evil), "</script"), count(text(empty), "</script"));
  EXPECT_EQ(count(text(evil), "<!--"), count(text(empty), "<!--"));
  EXPECT_NE(text(evil).find(R"({"x":"\u003c/script>\u003cscript>alert(1))"), std::string::npos);
}

TEST(Page, TitlesAreText) {
  const std::string page = text({"<b>&\"'", "{}", ""});
  EXPECT_NE(page.find("&lt;b&gt;&amp;&quot;&#39;"), std::string::npos);
  EXPECT_EQ(page.find("<b>&"), std::string::npos);
}

TEST(Page, MarksInDataAreNoMarks) {
  const std::string page =
      text({"@PARID_DATA@", R"({"x":"@PARID_PROGRAMS@ @PARID_TITLE@"})", "let a;"});
  EXPECT_NE(page.find(R"({"x":"@PARID_PROGRAMS@ @PARID_TITLE@"})"), std::string::npos);
  EXPECT_NE(page.find("<h1>@PARID_DATA@</h1>"), std::string::npos);
  EXPECT_EQ(count(page, "let a;"), 1u);
}

TEST(Page, ProgramsThatCouldEndTheirScriptAreRefused) {
  EXPECT_THROW(text({"a", "{}", "x = '</script>'"}), std::logic_error);
  EXPECT_THROW(text({"a", "{}", "<!--"}), std::logic_error);
  EXPECT_NO_THROW(text({"a", "{}", "const t = a < b ? a : b;"}));
}

TEST(Page, AsksNobodyForAnything) {
  const std::string page = text({"a", "{}", ""});
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* bad : {"<link", "src=\"http", "href=\"http", "@import"})
    EXPECT_EQ(page.find(bad), std::string::npos) << bad;
  if (report_page_is_full()) {
    EXPECT_LT(page.size(), 1'500'000u);
    EXPECT_NE(page.find("three.js authors"), std::string::npos) << "licences stay";
    EXPECT_NE(page.find("Leon Sorokin"), std::string::npos);
  } else {
    EXPECT_NE(page.find("This is the plain page"), std::string::npos);
  }
}

TEST(Base64, IsTheOneOfRfc4648) {
  auto of = [](const char* s) {
    const std::string t(s);
    return base64({reinterpret_cast<const unsigned char*>(t.data()), t.size()});
  };
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(of("f"), "Zg==");
  EXPECT_EQ(of("fo"), "Zm8=");
  EXPECT_EQ(of("foo"), "Zm9v");
  EXPECT_EQ(of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_of(std::vector<double>{1.0}), "AAAAAAAA8D8=");
}

}  // namespace
}  // namespace parid::test
