// Poses of the links: the robot file's tree, traversed from its root. A pose is twelve numbers, a rotation
// row by row and a position; poses of all links are contiguous.

import type { Joint, Linkage, Robot } from "./report";

const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

export function times(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const c = new Array<number>(12);
  for (let i = 0; i < 3; ++i) {
    const x = a[3 * i], y = a[3 * i + 1], z = a[3 * i + 2];
    for (let j = 0; j < 3; ++j) c[3 * i + j] = x * b[j] + y * b[3 + j] + z * b[6 + j];
    c[9 + i] = x * b[9] + y * b[10] + z * b[11] + a[9 + i];
  }
  return c;
}

export function inverse(a: ArrayLike<number>): number[] {
  const c = [a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8], 0, 0, 0];
  for (let i = 0; i < 3; ++i) c[9 + i] = -(c[3 * i] * a[9] + c[3 * i + 1] * a[10] + c[3 * i + 2] * a[11]);
  return c;
}

export const turned = (a: ArrayLike<number>, v: ArrayLike<number>): number[] =>
  [0, 1, 2].map((i) => a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2]);

export function about(axis: number[], angle: number): number[] {
  const length = Math.hypot(axis[0], axis[1], axis[2]) || 1;
  const [x, y, z] = axis.map((k) => k / length);
  const s = Math.sin(angle), c = Math.cos(angle), d = 1 - c;
  return [c + x * x * d, x * y * d - z * s, x * z * d + y * s, x * y * d + z * s, c + y * y * d, y * z * d - x * s,
    x * z * d - y * s, y * z * d + x * s, c + z * z * d, 0, 0, 0];
}

function along(axis: number[], distance: number): number[] {
  const length = Math.hypot(axis[0], axis[1], axis[2]) || 1;
  return [1, 0, 0, 0, 1, 0, 0, 0, 1, ...axis.map((k) => (k / length) * distance)];
}

function quaternion(x: number, y: number, z: number, w: number): number[] {
  const n = 2 / (x * x + y * y + z * z + w * w || 1);
  return [1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w), n * (x * y + z * w), 1 - n * (x * x + z * z),
    n * (y * z - x * w), n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y), 0, 0, 0];
}

// The output angle of a linkage for a position of the joint that drives it.
function outputAngle(l: Linkage, position: number): number {
  const theta = position + l.angle;
  const x = l.input * Math.cos(theta) - l.ground, y = l.input * Math.sin(theta), r2 = x * x + y * y;
  const k = (r2 + l.output * l.output - l.coupler * l.coupler) / (2 * l.output);
  const s = l.sign * Math.sqrt(Math.max(0, r2 - k * k));
  const rest = Math.atan2(y * k + x * s, x * k - y * s) - l.turns * theta - l.middle;
  return l.turns * theta + Math.atan2(Math.sin(rest), Math.cos(rest)) + l.middle - l.zero;
}

// The position of a joint with one coordinate; a mimic joint may mimic another mimic joint.
function position(robot: Robot, j: Joint, q: ArrayLike<number>): number {
  if (!j.follows) return q[j.position];
  const x = position(robot, robot.joints[j.follows.joint], q);
  const u = j.follows.linkage ? outputAngle(j.follows.linkage, x) : x;
  const c = j.follows.polynomial ?? [j.follows.offset, j.follows.multiplier];
  return c.reduceRight((sum, k) => sum * u + k, 0);
}

function motion(robot: Robot, j: Joint, q: ArrayLike<number>): number[] {
  const k = j.position;
  const one = (): number => position(robot, j, q);
  switch (j.type) {
    case "fixed": return identity;
    case "revolute": case "continuous": return about(j.axis, one());
    case "prismatic": return along(j.axis, one());
    case "spherical": return quaternion(q[k], q[k + 1], q[k + 2], q[k + 3]);
    case "floating": {
      const R = quaternion(q[k + 3], q[k + 4], q[k + 5], q[k + 6]);
      return [...R.slice(0, 9), q[k], q[k + 1], q[k + 2]];
    }
    case "planar": {
      const axes = j.plane ?? identity;
      const p = turned(axes, [q[k], q[k + 1], 0]);
      return times([...identity.slice(0, 9), ...p], times(axes, times(about([0, 0, 1], q[k + 2]), inverse(axes))));
    }
  }
}

export class Kinematics {
  private readonly order: Joint[] = []; // parents first

  constructor(readonly robot: Robot) {
    const reached = new Set([robot.root]);
    let left = [...robot.joints];
    while (left.length > 0) {
      const rest = left.filter((j) => !reached.has(j.parent) || (this.order.push(j), reached.add(j.child), false));
      if (rest.length === left.length) break;
      left = rest;
    }
  }

  // The pose of link k starts at 12 k, in the root's frame.
  poses(q: ArrayLike<number>, to: Float64Array = new Float64Array(12 * this.robot.links.length)): Float64Array {
    to.set(identity, 12 * this.robot.root);
    for (const j of this.order) {
      let at = times(times(to.subarray(12 * j.parent, 12 * j.parent + 12), j.origin), motion(this.robot, j, q));
      if (j.tip) at = times(at, j.tip);
      to.set(at, 12 * j.child);
    }
    return to;
  }
}
