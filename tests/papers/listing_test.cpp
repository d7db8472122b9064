// Printed programs as data: the meaning of the small language, and the errors found in it.

#include "papers/listing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace parid::papers {
namespace {

double result(const char* text, Values given = {}) {
  return Listing(text).run(std::move(given)).at("x").x[0];
}
using Names = std::vector<std::string>;

TEST(Listing, Numbers) {
  EXPECT_EQ(result("x = 1 + 2*3"), 7);
  EXPECT_EQ(result("x = -(1 + 2)*3 - -4"), -5);
  EXPECT_EQ(result("x = 2^3*3 - 8/4"), 22);
  EXPECT_EQ(result("x = -2^2"), -4);
  EXPECT_EQ(result("a = 2; b = a*a\nx = b - a"), 2);
  EXPECT_EQ(result("x = 1; x = x + 1"), 2);
  EXPECT_DOUBLE_EQ(result("x = atan2(sin(t), cos(t)) + abs(-t) + sqrt(4)", {{"t", 0.3}}), 2.6);
}

TEST(Listing, Matrices) {
  EXPECT_EQ(result("m = [1 -2; 3 4]; x = m(2,1) + m(1,2)"), 1);
  EXPECT_EQ(result("m = [1 2; 3 4]; x = trace(m*m')"), 30);
  EXPECT_EQ(result("v = [1; 2; 3]; x = v(3)*2"), 6);
  EXPECT_EQ(result("r = [1 2; 3 4]; p = [5; 6]; t = [r p; 0 0 1]; x = t(2,3) + t(3,3)"), 7);
  EXPECT_EQ(result("v = cross([1; 0; 0], [0; 1; 0]); x = v(3)"), 1);
  EXPECT_EQ(result("m = [1+1 a*2; 0 (1 - 3)]; x = m(1,1) + m(1,2) + m(2,2)", {{"a", 5}}), 10);
  EXPECT_NEAR(result("m = [0 2 1; 3 1 0; 1 1 4]; u = inv(m)*m; x = u(1,1) + abs(u(2,1)) + u(3,3)"),
              2, 1e-14);
  EXPECT_THROW(result("x = [1 2]*[3 4]"), std::logic_error);
}

TEST(Listing, WhatIsNotKnownIsSaid) {
  EXPECT_THROW(result("x = y"), std::logic_error);
  EXPECT_THROW(Listing("a b c"), std::logic_error);
}

TEST(Listing, FaultsAreFound) {
  const Listing l("a = u + lost; b = later*2; later = 3; c = (a + b; d = a*a; x = b + c");
  const auto f = l.faults({"u"}, {"x"});
  EXPECT_EQ(f.unreadable, Names{"c"});
  EXPECT_EQ(f.unknown, Names{"lost"});
  EXPECT_EQ(f.early, Names{"later"});
  EXPECT_EQ(f.unread, (Names{"later", "d"}));  // `later` comes too late for b
  EXPECT_EQ(f.count(), 5u);
  EXPECT_EQ(Listing("x = u").faults({"u"}, {"x"}).text(), "none");
}

TEST(Listing, CorrectionsReplaceOrArePutWhereTheyAreRead) {
  const Listing l("a = 1; x = a + b");
  EXPECT_EQ(l.with("b = 2").run({}).at("x").x[0], 3);
  EXPECT_EQ(l.with("c = 4; b = c + a; a = 5").run({}).at("x").x[0], 14);
  EXPECT_EQ(Listing("aa = 2; x = aa + a").renamed("a", "aa").run({}).at("x").x[0], 4);
}

TEST(Listing, OperationsAreSignsBetweenTerms) {
  const Operations n = Listing("a = -(b*c-d); x = -3*(a + -b) - c").operations();
  EXPECT_EQ(n.m, 2);
  EXPECT_EQ(n.a, 3);
}

}  // namespace
}  // namespace parid::papers
