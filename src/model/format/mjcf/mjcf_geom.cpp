#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/format/mjcf/mjcf_frame.hpp"
#include "model/format/mjcf/mjcf_inertial.hpp"
#include "model/frame.hpp"

namespace parid::model::mjcf {
namespace {

using V = Vec3<double>;
constexpr double pi = std::numbers::pi;

enum class Shape { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf };

struct Solid {
  double volume = 0;  // or area
  V moments;          // principal ones, for mass 1
};

// Sizes are half sizes, as MJCF has them: radius; radius and half length; three half sizes.
Solid filled(Shape shape, const V& s) {
  const double r = s.x, h = 2 * s.y, rr = r * r;
  const V ss{s.x * s.x, s.y * s.y, s.z * s.z};
  switch (shape) {
    case Shape::sphere: return {4 * pi * r * rr / 3, (2 * rr / 5) * V{1, 1, 1}};
    case Shape::capsule: {
      const double ball = 4 * r / (4 * r + 3 * h), tube = 1 - ball;  // shares of the mass
      const double across =
          tube * (3 * rr + h * h) / 12 + ball * 2 * rr / 5 + ball * h * (3 * r + 2 * h) / 8;
      return {pi * (rr * h + 4 * r * rr / 3), {across, across, tube * rr / 2 + ball * 2 * rr / 5}};
    }
    case Shape::cylinder: {
      const double across = (3 * rr + h * h) / 12;
      return {pi * rr * h, {across, across, rr / 2}};
    }
    case Shape::ellipsoid:
      return {4 * pi * s.x * s.y * s.z / 3,
              {(ss.y + ss.z) / 5, (ss.x + ss.z) / 5, (ss.x + ss.y) / 5}};
    case Shape::box:
      return {8 * s.x * s.y * s.z, {(ss.y + ss.z) / 3, (ss.x + ss.z) / 3, (ss.x + ss.y) / 3}};
    default: return {};
  }
}

// The mass is spread evenly on the surface.
Solid hollow(Shape shape, const V& s) {
  const double r = s.x, h = 2 * s.y, rr = r * r;
  switch (shape) {
    case Shape::sphere: return {4 * pi * rr, (2 * rr / 3) * V{1, 1, 1}};
    case Shape::capsule: {
      const double area = 4 * pi * rr + 2 * pi * r * h, ball = 4 * pi * rr / area, tube = 1 - ball;
      const double from = s.y + r / 2;  // of a half sphere's centre of mass
      const double across =
          tube * (6 * rr + h * h) / 12 + ball * (2 * rr / 3 + from * from - rr / 4);
      return {area, {across, across, tube * rr + ball * 2 * rr / 3}};
    }
    case Shape::cylinder: {
      const double area = 2 * pi * rr + 2 * pi * r * h, disc = pi * rr / area, tube = 1 - 2 * disc;
      const double across = tube * (6 * rr + h * h) / 12 + 2 * disc * (rr / 4 + s.y * s.y);
      return {area, {across, across, tube * rr + disc * rr}};
    }
    case Shape::box: {
      const double xy = s.x * s.y, yz = s.y * s.z, zx = s.z * s.x, sum = xy + yz + zx;
      const V ss{s.x * s.x, s.y * s.y, s.z * s.z};
      // Second moments ∫x² per mass: of the two sides across x all mass is at x = ±s.x.
      const V K{ss.x * (yz + (xy + zx) / 3) / sum, ss.y * (zx + (xy + yz) / 3) / sum,
                ss.z * (xy + (yz + zx) / 3) / sum};
      return {8 * sum, {K.y + K.z, K.x + K.z, K.x + K.y}};
    }
    case Shape::ellipsoid: {  // as MuJoCo: area by Thomsen's formula, a shell of 1 µm
      constexpr double p = 1.6075, e = 1e-6;
      const double sum = std::pow(s.x * s.y, p) + std::pow(s.y * s.z, p) + std::pow(s.z * s.x, p);
      const V t{s.x + e, s.y + e, s.z + e};
      const Solid inner = filled(shape, s), outer = filled(shape, t);
      const double density = 1 / (outer.volume - inner.volume);
      return {4 * pi * std::pow(sum / 3, 1 / p),
              density * (outer.volume * outer.moments - inner.volume * inner.moments)};
    }
    default: return {};
  }
}

struct Placed {
  Pose<double> at;  // in the frame of the geom's attributes' parent
  V size;
};

std::size_t size_count(Shape shape, bool from_to) {
  switch (shape) {
    case Shape::sphere: return 1;
    case Shape::capsule:
    case Shape::cylinder: return from_to ? 1 : 2;
    default: return from_to ? 1 : 3;
  }
}

V read_size(const Node& geom, Shape shape, bool from_to) {
  const auto given = geom.numbers("size", 0, 3);
  const std::size_t wanted = size_count(shape, from_to);
  if (!given || given->size() < wanted)
    geom.fail(fmt::format("needs {} numbers in 'size'", wanted),
              "give half sizes in metres, or the body an <inertial>");
  for (std::size_t k = 0; k < wanted; ++k)
    if (!((*given)[k] > 0))
      geom.fail(fmt::format("has the size {}, which is not positive", (*given)[k]),
                "give half sizes in metres");
  const auto at = [&](std::size_t k) { return k < given->size() ? (*given)[k] : 0.0; };
  return {at(0), at(1), at(2)};
}

Placed between(const Node& geom, Shape shape, const std::vector<double>& ends) {
  const V a{ends[0], ends[1], ends[2]}, b{ends[3], ends[4], ends[5]};
  const double half = length_of(a - b) / 2;
  if (!(half > 1e-14)) geom.fail("has two equal points in 'fromto'", "give two different points");
  V size = read_size(geom, shape, true);
  if (shape == Shape::capsule || shape == Shape::cylinder)
    size.y = half;
  else
    size = {size.x, size.x, half};
  return {{turn_to(a - b), 0.5 * (a + b)}, size};
}

// A primitive instead of a mesh, in the mesh's principal axes.
Placed around(const Node& geom, Shape shape, const MeshSolid& mesh, const Compiler& c,
              const Pose<double>& at) {
  V middle, half = mesh.box;
  if (c.fit_box) {
    middle = 0.5 * (mesh.low + mesh.high);
    half = 0.5 * (mesh.high - mesh.low);
  }
  V size = half;
  if (shape == Shape::sphere)
    size = {c.fit_box ? std::max({half.x, half.y, half.z}) : (half.x + half.y + half.z) / 3, 0, 0};
  if (shape == Shape::capsule || shape == Shape::cylinder) {
    const double r = c.fit_box ? std::max(half.x, half.y) : (half.x + half.y) / 2;
    size = {r, half.z, 0};
    if (shape == Shape::capsule) size.y = c.fit_box ? half.z - r : std::max(0.0, half.z - r / 2);
  }
  return {at * Pose<double>{mesh.axes, mesh.com + mesh.axes * middle},
          geom.number_or("fitscale", 1) * size};
}

Inertia scaled(double mass, const V& moments) {
  return {mass, {}, {mass * moments.x, mass * moments.y, mass * moments.z, 0, 0, 0}};
}

}  // namespace

Inertia geom_inertia(const Node& geom, const Pose<double>& to_body, const Compiler& c,
                     Meshes& meshes) {
  const double group = geom.number_or("group", 0);
  if (group < c.group_from || group > c.group_to) return {};
  const auto given_mass = geom.number("mass");
  const double density = geom.number_or("density", 1000);
  if (given_mass ? *given_mass == 0 : density == 0) return {};
  const Shape shape =
      static_cast<Shape>(geom.choice("type", {"plane", "hfield", "sphere", "capsule", "ellipsoid",
                                              "cylinder", "box", "mesh", "sdf"})
                             .value_or(static_cast<int>(Shape::sphere)));
  if (shape == Shape::plane || shape == Shape::hfield) return {};  // only on bodies that never move

  const std::string* mesh = geom.text("mesh");
  if (shape == Shape::mesh || shape == Shape::sdf) {
    if (!mesh) geom.fail("is a mesh but names none", "give the attribute 'mesh'");
    const MeshSolid& solid = meshes.solid(*mesh, geom.at());
    const double scale = given_mass ? *given_mass / solid.volume : density;
    const Sym3<double>& I = solid.about_com;
    const Inertia body{
        scale * solid.volume,
        solid.com,
        {scale * I.xx, scale * I.yy, scale * I.zz, scale * I.xy, scale * I.xz, scale * I.yz}};
    return moved(to_body * read_pose(geom, c), body);
  }

  const auto ends = geom.numbers("fromto", 6, 6);
  const Placed placed =
      mesh   ? around(geom, shape, meshes.solid(*mesh, geom.at()), c, read_pose(geom, c))
      : ends ? between(geom, shape, *ends)
             : Placed{read_pose(geom, c), read_size(geom, shape, false)};
  const Solid solid = geom.flag("shellinertia").value_or(false) ? hollow(shape, placed.size)
                                                                : filled(shape, placed.size);
  if (!(solid.volume > 1e-14)) return {};
  const double mass = given_mass.value_or(density * solid.volume);
  return moved(to_body * placed.at, scaled(mass, solid.moments));
}

}  // namespace parid::model::mjcf
