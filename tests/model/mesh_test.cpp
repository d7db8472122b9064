// Meshes as files have them: those that are, those that are not, and fewer triangles of the same
// shape.

#include "model/format/mesh/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::string binary(const std::vector<std::array<float, 9>>& triangles) {
  std::string bytes(80, ' ');
  bytes += bytes_of(static_cast<std::uint32_t>(triangles.size()));
  for (const auto& t : triangles) {
    bytes += bytes_of(0.0f, 0.0f, 1.0f);
    for (const float x : t) bytes += bytes_of(x);
    bytes += bytes_of(std::uint16_t{0});
  }
  return bytes;
}

TEST(Mesh, BinaryStlSharesCornersThatCoincide) {
  const Mesh m =
      parse_stl(binary({{0, 0, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 1, 1, 0, 0, 1, 0}}), "a.stl");
  EXPECT_EQ(m.triangles.size(), 2u);
  EXPECT_EQ(m.points.size(), 4u);
  EXPECT_EQ(m.triangles[0][1], m.triangles[1][0]);
}

TEST(Mesh, BinaryStlMayBeginWithSolid) {
  std::string bytes = binary({{0, 0, 0, 1, 0, 0, 0, 1, 0}});
  bytes.replace(0, 5, "solid");
  EXPECT_EQ(parse_stl(bytes, "a.stl").triangles.size(), 1u);
}

TEST(Mesh, TextStl) {
  const Mesh m = parse_stl(
      "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1e0 0 0\n"
      "   vertex 0 -1.5 0\r\n  endloop\n endfacet\nendsolid a\n",
      "a.stl");
  ASSERT_EQ(m.triangles.size(), 1u);
  EXPECT_EQ(m.points[2], (std::array<float, 3>{0, -1.5f, 0}));
}

TEST(Mesh, ObjFacesAreFansAndMayCountFromTheEnd) {
  const Mesh m = parse_obj(
      "# a square and a triangle\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1/1 2//2 3 4\nf -4 -3 "
      "-2\n",
      "a.obj");
  EXPECT_EQ(m.triangles.size(), 3u);
  EXPECT_EQ(m.points.size(), 4u);
}

TEST(Mesh, WhatIsNoneIsRefusedWithItsName) {
  auto says = [](auto&& parse) { return complaint(parse); };
  EXPECT_NE(says([] { parse_stl("", "x.stl"); }).find("x.stl: this is not an STL file"),
            std::string::npos);
  EXPECT_NE(says([] { parse_stl(std::string(100, 'a'), "x.stl"); }), "");
  EXPECT_NE(says([] { parse_stl("solid nothing\nendsolid", "x.stl"); }), "");
  EXPECT_NE(says([] { parse_stl("solid a\nvertex 1 2 three\n", "x.stl"); }), "");
  for (const float far : {NAN, INFINITY, 3e38f, -3e38f, 1.1e15f})
    EXPECT_NE(says([&] { parse_stl(binary({{0, 0, 0, 1, 0, 0, 0, far, 0}}), "x.stl"); }), "");
  EXPECT_EQ(says([] { parse_stl(binary({{0, 0, 0, 1, 0, 0, 0, -1e15f, 0}}), "x.stl"); }), "");
  // It claims four thousand million triangles.
  std::string liar = binary({{0, 0, 0, 1, 0, 0, 0, 1, 0}});
  liar.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_NE(says([&] { parse_stl(liar, "x.stl"); }), "");
  EXPECT_NE(says([] { parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "x.obj"); }), "");
  EXPECT_NE(says([] { parse_obj("v 0 0 0\nf 1 0 1\n", "x.obj"); }), "");
  EXPECT_NE(says([] { parse_obj("v 0 0\n", "x.obj"); }), "");
  EXPECT_NE(says([] { read_mesh("/dev/zero.stl", "x.stl"); }), "");
  EXPECT_NE(says([] { read_mesh("tests/report", "looks.ply"); }).find("use STL, OBJ or"),
            std::string::npos);
}

TEST(Mesh, RandomBytesAreRefusedOrRead) {
  for (int seed = 0; seed < 300; ++seed) {
    const std::string bytes = random_bytes(seed * 7 % 400, seed);
    complaint(
        [&] { parse_stl("solid" + bytes, "x.stl"); });  // an Error or a mesh; never anything else
    complaint([&] { parse_obj("v 0 0 0\nf " + bytes, "x.obj"); });
  }
}

// A sphere keeps its size.
TEST(Mesh, CoarserHasFewerTrianglesOfTheSameShape) {
  std::vector<std::array<float, 9>> triangles;
  const int n = 100;
  auto point = [](int i, int j) {
    const double a = M_PI * i / n, b = 2 * M_PI * j / n;
    return std::array<float, 3>{static_cast<float>(std::sin(a) * std::cos(b)),
                                static_cast<float>(std::sin(a) * std::sin(b)),
                                static_cast<float>(std::cos(a))};
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const auto a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1);
      triangles.push_back({a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]});
      const auto d = point(i, j + 1);
      triangles.push_back({a[0], a[1], a[2], c[0], c[1], c[2], d[0], d[1], d[2]});
    }
  const Mesh fine = parse_stl(binary(triangles), "sphere.stl");
  const Mesh coarse = coarser(fine, 2000);
  EXPECT_LE(coarse.triangles.size(), 2000u);
  EXPECT_GT(coarse.triangles.size(), 500u);
  for (const auto& t : coarse.triangles)
    for (const std::uint32_t k : t) {
      ASSERT_LT(k, coarse.points.size());
      const auto& p = coarse.points[k];
      EXPECT_NEAR(std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), 1, 0.02);
    }
  EXPECT_EQ(coarser(fine, 1'000'000).triangles.size(), fine.triangles.size());
}

}  // namespace
}  // namespace parid::test
