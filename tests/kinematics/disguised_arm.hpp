// PUMA and Stanford arms as files may describe them: any base, tool, sense of axes, zeros and link
// frames.

#pragma once

#include <numbers>
#include <vector>

#include "model/frame.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

enum class LinkFrames { any, square };  // square: along each other's axes, zeros at quarter turns

inline Pose<double> square_pose(Rng& rng, double reach) {
  auto quarters = [&] { return sin_cos(std::numbers::pi / 2 * static_cast<double>(rng() % 4)); };
  const Mat3<double> x = rotation_x(quarters()), y = rotation_y(quarters()),
                     z = rotation_z(quarters());
  return {x * y * z, uniform_vector(rng, reach)};
}

// An arm with these axes and otherwise random: directions of axes, offsets, link frames, placement
// of the base. Joint `slide` is prismatic.
inline Description disguised(Rng& rng, const std::vector<DenavitHartenberg>& rows, int slide,
                             LinkFrames frames) {
  const bool square = frames == LinkFrames::square;
  auto random_frame = [&](double reach) {
    return square ? square_pose(rng, reach) : random_pose(rng, reach);
  };
  Description d = random_base(rng, "disguised");
  Pose<double> before = random_frame(1);  // DH frame i − 1 in link i − 1
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    const bool slides = i == slide;
    add_random_link(rng, d, d.links.back().name,
                    slides ? JointType::prismatic : JointType::revolute, {});
    JointDescription& j = d.joints.back();
    const double sense = rng() % 2 ? 1 : -1,
                 offset = slides   ? uniform(rng, 1.5, 3)
                          : square ? std::numbers::pi / 2 * static_cast<int>(rng() % 4)
                                   : uniform(rng, -3, 3);
    j.origin = before * (slides ? Pose<double>{Mat3<double>::identity(), {0, 0, offset}}
                                : Pose<double>{rotation_z(sin_cos(offset)), {}});
    j.axis = {0, 0, sense};
    const Pose<double> link = random_frame(0.5);
    j.tip = link;
    before = inverse(link) * standard_pose(rows[i]);
  }
  return d;
}
inline Description disguised_puma(Rng& rng, LinkFrames frames = LinkFrames::any) {
  const double right = std::numbers::pi / 2;
  const double a2 = uniform(rng, 0.2, 0.8), a3 = uniform(rng, -0.1, 0.1),
               d2 = uniform(rng, -0.2, 0.2), d4 = uniform(rng, 0.2, 0.8);
  return disguised(rng,
                   {{0, -right, 0, 0},
                    {a2, 0, d2, 0},
                    {a3, right, 0, 0},
                    {0, -right, d4, 0},
                    {0, right, 0, 0},
                    {0, 0, 0.1, 0}},
                   -1, frames);
}
inline Description disguised_stanford(Rng& rng, LinkFrames frames = LinkFrames::any) {
  const double right = std::numbers::pi / 2, d2 = uniform(rng, -0.3, 0.3);
  return disguised(rng,
                   {{0, -right, 0.4, 0},
                    {0, right, d2, 0},
                    {0, 0, 0, 0},
                    {0, -right, 0, 0},
                    {0, right, 0, 0},
                    {0, 0, 0.2, 0}},
                   2, frames);
}

}  // namespace parid::test
