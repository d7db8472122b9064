#include "motion/file/trajectory_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/file/npz.hpp"
#include "motion/default_motion.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

SampledTrajectory read(const Robot& robot, const std::string& text, bool derive = false) {
  Scratch scratch;
  return read_trajectory(robot, scratch.file("m.csv", text), {derive, {}});
}

// The complaint, with the directory left out: "m.csv:2: ...".
std::string refusal(const Robot& robot, const std::string& text, bool derive = false) {
  Scratch scratch;
  const std::string path = scratch.file("m.csv", text);
  const std::string full = complaint([&] { read_trajectory(robot, path, {derive, {}}); });
  return full.substr(0, path.size()) == path ? full.substr(path.size() - 5) : full;
}
template <class Write>
std::string refusal_of(const Robot& robot, const std::string& name, const Write& write) {
  Scratch scratch;
  const std::string path = scratch.path(name);
  write(path);
  const std::string full = complaint([&] { read_trajectory(robot, path); });
  return full.substr(0, path.size()) == path ? full.substr(path.size() - name.size()) : full;
}

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

TEST(TrajectoryFile, NamedColumnsInAnyOrder) {
  const Robot robot = Robot::load("planar2");
  const SampledTrajectory m =
      read(robot,
           "a:joint1,q:joint2,v:joint2,t,q:joint1,a:joint2,v:joint1\n1,2,3,0,5,6,"
           "7\n11,12,13,1,15,16,17\n");
  EXPECT_EQ(m.rows, 2u);
  EXPECT_EQ(m.t, (Numbers{0, 1}));
  EXPECT_EQ(m.q, (Numbers{5, 2, 15, 12}));
  EXPECT_EQ(m.v, (Numbers{7, 3, 17, 13}));
  EXPECT_EQ(m.a, (Numbers{1, 6, 11, 16}));
  // Torques come back in the order in which the file speaks of the joints.
  EXPECT_EQ(m.torque_columns, (Names{"tau:joint2", "tau:joint1"}));
  EXPECT_EQ(m.torque_order, (std::vector<int>{1, 0}));
}

TEST(TrajectoryFile, NumberedColumns) {
  const Robot robot = Robot::load("planar2");
  const SampledTrajectory m = read(robot, "q1,q2,v1,v2,a1,a2\n1,2,3,4,5,6\n");
  EXPECT_TRUE(m.t.empty());
  EXPECT_EQ(m.q, (Numbers{1, 2}));
  EXPECT_EQ(m.v, (Numbers{3, 4}));
  EXPECT_EQ(m.a, (Numbers{5, 6}));
  EXPECT_EQ(m.torque_columns, (Names{"tau1", "tau2"}));
  EXPECT_EQ(read(robot, "q2,q1,v1,v2,a1,a2\n1,2,3,4,5,6\n").torque_columns,
            (Names{"tau2", "tau1"}));
}

TEST(TrajectoryFile, OldTorquesMayStandBesideTheMotion) {
  const Robot robot = Robot::load("planar2");
  const SampledTrajectory m = read(robot, "q1,q2,v1,v2,a1,a2,tau1,tau2\n1,2,3,4,5,6,7,8\n");
  EXPECT_EQ(m.a, (Numbers{5, 6}));
}

TEST(TrajectoryFile, SamplesKnowTheirLines) {
  const SampledTrajectory m = read(
      Robot::load("planar2"), "# made by hand\nq1,q2,v1,v2,a1,a2\n1,2,3,4,5,6\n\n1,2,3,4,5,6\n");
  EXPECT_EQ(m.place(0).line, 3);
  EXPECT_EQ(m.place(1).line, 5);
}

std::string header_of(const Robot& robot) {
  Names names{"t"};
  for (const auto& n : robot.position_names()) names.push_back("q:" + n);
  for (const char part : {'v', 'a'})
    for (const auto& n : robot.velocity_names()) names.push_back(fmt::format("{}:{}", part, n));
  return fmt::format("{}\n", fmt::join(names, ","));
}

TEST(TrajectoryFile, EveryKindOfJointGoesThroughEveryKindOfFile) {
  const Robot robot = everything();
  EXPECT_EQ(header_of(robot),
            "t,q:free.x,q:free.y,q:free.z,q:free.qx,q:free.qy,q:free.qz,q:free.qw,q:ball.qx,q:ball."
            "qy,q:ball.qz,q:ball.qw,"
            "q:plane.x,q:plane.y,q:plane.theta,q:finger,"
            "v:free.vx,v:free.vy,v:free.vz,v:free.wx,v:free.wy,v:free.wz,v:ball.wx,v:ball.wy,v:"
            "ball.wz,v:plane.vx,v:plane.vy,v:plane.wz,v:finger,"
            "a:free.vx,a:free.vy,a:free.vz,a:free.wx,a:free.wy,a:free.wz,a:ball.wx,a:ball.wy,a:"
            "ball.wz,a:plane.vx,a:plane.vy,a:plane.wz,a:finger\n");
  const SampledTrajectory m = default_motion(robot, 5);
  const std::size_t nq = robot.nq(), nv = robot.nv();
  std::string csv = header_of(robot);
  Array all{{m.rows, nq + 2 * nv}, {}};
  for (std::size_t r = 0; r < m.rows; ++r) {
    Numbers row(m.q.begin() + r * nq, m.q.begin() + (r + 1) * nq);
    row.insert(row.end(), m.v.begin() + r * nv, m.v.begin() + (r + 1) * nv);
    row.insert(row.end(), m.a.begin() + r * nv, m.a.begin() + (r + 1) * nv);
    all.data.insert(all.data.end(), row.begin(), row.end());
    csv += fmt::format("{},{}\n", m.t[r], fmt::join(row, ","));
  }
  Scratch scratch;
  write_npy(scratch.path("m.npy"), all);
  write_npz(scratch.path("m.npz"), {{"t", {{m.rows}, m.t}},
                                    {"q", {{m.rows, nq}, m.q}},
                                    {"v", {{m.rows, nv}, m.v}},
                                    {"a", {{m.rows, nv}, m.a}}});
  for (const std::string& path :
       {scratch.file("m.csv", csv), scratch.path("m.npy"), scratch.path("m.npz")}) {
    const SampledTrajectory got = read_trajectory(robot, path);
    EXPECT_EQ(got.rows, 5u) << path;
    for (std::size_t k = 0; k < m.q.size(); ++k)
      EXPECT_NEAR(got.q[k], m.q[k], 1e-15) << path;  // quaternions are normalised
    EXPECT_EQ(got.v, m.v) << path;
    EXPECT_EQ(got.a, m.a) << path;
    EXPECT_EQ(got.torque_columns.front(), "tau:free.vx") << path;
    EXPECT_EQ(got.torque_columns.back(), "tau:finger") << path;
    EXPECT_EQ(got.t, path.ends_with(".npy") ? Numbers() : m.t) << path;
  }
  // A joint of several freedoms keeps its columns together when joints change places.
  const SampledTrajectory swapped =
      read(single("spherical"),
           "q:j.qw,q:j.qz,q:j.qy,q:j.qx,v:j.wz,v:j.wy,v:j.wx,a:j.wx,a:j.wy,"
           "a:j.wz\n1,0,0,0,3,2,1,4,5,6\n");
  EXPECT_EQ(swapped.q, (Numbers{0, 0, 0, 1}));
  EXPECT_EQ(swapped.v, (Numbers{1, 2, 3}));
  EXPECT_EQ(swapped.torque_columns, (Names{"tau:j.wx", "tau:j.wy", "tau:j.wz"}));
}

TEST(TrajectoryFile, DerivesWhatIsMissing) {
  const Robot robot = Robot::load("planar2");
  std::string text = "t,q1,q2\n";
  for (int k = 0; k < 8; ++k) text += fmt::format("{},{},{}\n", 0.1 * k, 0.01 * k * k, 0.2 * k);
  const SampledTrajectory m = read(robot, text, true);
  for (std::size_t r = 0; r < m.rows; ++r) {
    EXPECT_NEAR(m.v[2 * r], 2 * m.t[r], 1e-12);
    EXPECT_NEAR(m.a[2 * r], 2, 1e-10);
    EXPECT_NEAR(m.v[2 * r + 1], 2, 1e-12);
  }
  Scratch scratch;
  write_npz(scratch.path("m.npz"), {{"t", {{m.rows}, m.t}}, {"q", {{m.rows, 2}, m.q}}});
  EXPECT_EQ(read_trajectory(robot, scratch.path("m.npz"), {true, {}}).a, m.a);
}

TEST(TrajectoryFile, RefusesWithLineAndRemedy) {
  const Robot robot = Robot::load("planar2");
  const std::string header = "t,q:joint1,q:joint2,v:joint1,v:joint2,a:joint1,a:joint2";
  EXPECT_EQ(refusal(robot, ""), "m.csv: the file is empty; start with a header such as " + header);
  EXPECT_EQ(refusal(robot, "\nq:joint1,q:jiont2\n1,2\n"),
            "m.csv:2: column 'q:jiont2' is not a coordinate of robot 'planar2'; did you mean "
            "'q:joint2'?");
  EXPECT_EQ(
      refusal(robot, "q:joint1,speed\n1,2\n"),
      "m.csv:1: column 'speed' is not a coordinate of robot 'planar2'; the header is " + header);
  EXPECT_EQ(
      refusal(robot,
              "q:joint1,q:joint2,v:joint1,v:joint2,a:joint1,a:joint2,q:joint3\n1,2,3,4,5,6,7\n"),
      "m.csv:1: column 'q:joint3' is not a coordinate of robot 'planar2'; the header is " + header);
  EXPECT_EQ(
      refusal(robot, "q:joint1,q2\n1,2\n"),
      "m.csv:1: column 'q:joint1' has a name, but other columns have numbers; name all columns, " +
          header + ", or number all");
  EXPECT_EQ(refusal(robot, "q1,q2,q3\n1,2,3\n").substr(0, 60),
            "m.csv:1: column 'q3' is not a coordinate of robot 'planar2';");
  EXPECT_EQ(refusal(robot, "t,q:joint2\n1,2\n"),
            "m.csv:1: robot 'planar2' needs column q:joint1; the complete header is " + header);
  EXPECT_EQ(refusal(robot, "q1,q2\n1,2\n"),
            "m.csv:1: robot 'planar2' needs columns v1, v2; add them, or use `derive` to compute "
            "velocities and accelerations");
  EXPECT_EQ(refusal(robot, "q1,q2,v1,v2\n1,2,3,4\n"),
            "m.csv:1: robot 'planar2' needs columns a1, a2; add them, or use `derive` to compute "
            "velocities and accelerations");
  for (const bool derive : {false, true})
    EXPECT_EQ(refusal(robot, "q1,q2,v2\n1,2,3\n", derive),
              "m.csv:1: robot 'planar2' needs column v1; the complete header is " + header);
  EXPECT_EQ(
      refusal(robot, "q1,q2\n1,2\n", true),
      "m.csv: `derive` needs the times of the samples; add a column (or array) t, in seconds");
  EXPECT_EQ(refusal(robot, "t,q1,q2\n0,1,2\n", true),
            "m.csv: `derive` needs at least four samples; there is 1; give more samples");
  EXPECT_EQ(refusal(robot, "t,q1,q2\n0,1,2\n1,2,3\n", true),
            "m.csv: `derive` needs at least four samples; there are 2; give more samples");
  EXPECT_EQ(
      refusal(robot,
              "t,q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0,0\n# late\n0.5,0,0,0,0,0,0\n0.5,0,0,0,0,0,0\n"),
      "m.csv:5: t is not ascending: 0.5 is followed by 0.5; sort the rows by time");
  EXPECT_EQ(refusal(robot, "q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0,nan,0,0,0,0\n"),
            "m.csv:3: column 'q2' is not a number: 'nan'; give a finite number");
  EXPECT_EQ(
      refusal(robot, "q1,q2,v1,v2,a1,a2\n0,0,0,0,0\n"),
      "m.csv:2: found 5 values, but the header has 6 columns; give one value for each column");
  EXPECT_EQ(refusal(single("spherical"),
                    "q1,q2,q3,q4,v1,v2,v3,a1,a2,a3\n0,0,0,1,0,0,0,0,0,0\n0,0,0,0,0,0,0,0,0,0\n"),
            "m.csv:3: the quaternion of joint 'j' has length 0 instead of 1; give a unit "
            "quaternion x, y, z, w");

  // Long headers are cut between names.
  const std::string humanoid = refusal(Robot::load("humanoid"), "q:nothing\n1\n");
  EXPECT_LT(humanoid.size(), 450u);
  EXPECT_TRUE(humanoid.ends_with(",…")) << humanoid;
  EXPECT_NE(refusal(Robot::load("humanoid"), "t\n1\n").find(" and 33 more"), std::string::npos);
}

TEST(TrajectoryFile, RefusesArraysOfOtherShapes) {
  const Robot robot = Robot::load("planar2");
  const Array two{{3, 2}, Numbers(6)}, three{{3, 3}, Numbers(9)}, time{{3}, {0, 1, 1}};
  EXPECT_EQ(refusal_of(robot, "m.npy", [&](const std::string& p) { write_npy(p, three); }),
            "m.npy: the array is 3 x 3; rows of robot 'planar2' have 6 numbers: 2 positions, 2 "
            "velocities, 2 accelerations");
  EXPECT_EQ(refusal_of(robot, "m.npz",
                       [&](const std::string& p) {
                         write_npz(p, {{"v", two}, {"x", two}});
                       }),
            "m.npz: there is no array 'q'; a trajectory has the arrays q, v, a and optionally t; "
            "found v, x");
  EXPECT_EQ(refusal_of(robot, "m.npz",
                       [&](const std::string& p) {
                         write_npz(p, {{"q", two}, {"v", three}, {"a", two}});
                       }),
            "m.npz: array 'v' is 3 x 3; 3 samples of robot 'planar2' need 3 x 2");
  EXPECT_EQ(refusal_of(robot, "m.npz",
                       [&](const std::string& p) {
                         write_npz(p, {{"q", two}});
                       }),
            "m.npz: the file has no velocities and accelerations (v, a); add them, or use `derive` "
            "to compute them");
  EXPECT_EQ(refusal_of(robot, "m.npz",
                       [&](const std::string& p) {
                         write_npz(p, {{"q", two}, {"v", two}});
                       }),
            "m.npz: the file has no accelerations (a); add them, or use `derive` to compute them");
  EXPECT_EQ(refusal_of(robot, "m.npz",
                       [&](const std::string& p) {
                         write_npz(p, {{"q", two}, {"v", two}, {"a", two}, {"t", time}});
                       }),
            "m.npz: row [2]: t is not ascending: 1 is followed by 1; sort the rows by time");
  EXPECT_EQ(refusal_of(robot, "m.npz",
                       [&](const std::string& p) {
                         write_npz(p, {{"q", two}, {"v", two}, {"a", two}, {"t", two}});
                       }),
            "m.npz: array 't' is 3 x 2; 3 samples of robot 'planar2' need 3 x 1");
}

// Nothing is timed here; were each name searched for among the columns, this would take an hour.
TEST(TrajectoryFile, AHundredThousandJointsTakeTimeInProportion) {
  const Robot robot = Robot::load(instrumented ? "chain:5000" : "chain:100000");
  std::string header = "t", row = "0";
  for (const char part : {'q', 'v', 'a'})
    for (const std::string& name : robot.position_names()) {
      header += fmt::format(",{}:{}", part, name);
      row += ",1";
    }
  EXPECT_EQ(read(robot, header + "\n" + row + "\n").q, Numbers(robot.nq(), 1));
  EXPECT_NE(refusal(robot, header + ",w\n" + row + ",1\n").find("column 'w' is not a coordinate"),
            std::string::npos);
}

TEST(TrajectoryFile, ReadingTellsHowFarItIs) {
  const Robot robot = Robot::load("planar2");
  std::string text = "q1,q2,v1,v2,a1,a2\n";
  for (int k = 0; k < 50000; ++k) text += "1,2,3,4,5,6\n";
  Scratch scratch;
  std::vector<double> shares;
  read_trajectory(robot, scratch.file("m.csv", text),
                  {.derive = false, .progress = [&](double s) { shares.push_back(s); }});
  ASSERT_GE(shares.size(), 2u);  // once for each buffer, which takes less than a millisecond
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(shares.front(), 0);
  EXPECT_LT(shares.front(), 0.6);
  EXPECT_GT(shares.back(), 0.9);
  EXPECT_LE(shares.back(), 1);
}

// Brought to length 1; what rounding does not explain is said once, with the first place.
TEST(TrajectoryFile, QuaternionsAreScaledToLengthOne) {
  const Robot robot = single("spherical");
  Scratch scratch;
  auto warnings = [&](const std::string& rows) {
    const std::string path =
        scratch.file("m.csv", "q1,q2,q3,q4,v1,v2,v3,a1,a2,a3\n0,0,0.6,0.8,0,0,0,0,0,0\n" + rows);
    std::string all;
    const SampledTrajectory m = read_trajectory(robot, path, {.warn = [&](const std::string& text) {
                                                  all += text.substr(path.size() - 5);
                                                }});
    for (std::size_t r = 0; r < m.rows; ++r) {
      double square = 0;
      for (int k = 0; k < 4; ++k) square += m.q[4 * r + k] * m.q[4 * r + k];
      EXPECT_NEAR(square, 1, 1e-15);
    }
    EXPECT_NEAR(m.q[4 * (m.rows - 1) + 2] / m.q[4 * (m.rows - 1) + 3], 0.75, 1e-5);
    EXPECT_EQ(read_trajectory(robot, path).q, m.q);  // where nobody asks for warnings too
    return all;
  };
  EXPECT_EQ(warnings("0,0,0.6,0.8,0,0,0,0,0,0\n"), "");
  EXPECT_EQ(warnings("0,0,0.6000005,0.8000005,0,0,0,0,0,0\n"), "");  // 7e-7 too long
  EXPECT_EQ(warnings("0,0,0.600002,0.800002,0,0,0,0,0,0\n"),
            "m.csv:3: warning: the quaternion of joint 'j' has length 1.0000028 instead of 1; "
            "normalized (order x, y, z, w)");
  EXPECT_EQ(warnings("0,0,0.63,0.84,0,0,0,0,0,0\n"),
            "m.csv:3: warning: the quaternion of joint 'j' has length 1.05 instead of 1; "
            "normalized (order x, y, z, w)");
  EXPECT_EQ(warnings("0,0,6e-9,8e-9,0,0,0,0,0,0\n0,0,60,80,0,0,0,0,0,0\n0,0,1.2,1.6,0,0,0,0,0,0\n"),
            "m.csv:3: warning: the quaternion of joint 'j' has length 1e-08 instead of 1 (and 2 "
            "more quaternions have not unit length); normalized (order x, y, z, w)");
}

}  // namespace
}  // namespace parid::test
