// Simple solids for robots without visuals: a housing about each joint, in the colour of its curves, and
// tubes from it to the next joints. Thick where they carry much mass, thin at the tips.

import { BoxGeometry, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, Mesh, MeshStandardMaterial, Object3D, Quaternion, SphereGeometry, Vector3 } from "three";

import { inverse, turned } from "./kinematics";
import type { Joint, Robot } from "./report";
import { colour } from "./theme";

const up = new Vector3(0, 1, 0);

export interface Skin {
  body: MeshStandardMaterial;
  joint: (coordinate: number) => MeshStandardMaterial;
}

export function skin(): Skin {
  const body = new MeshStandardMaterial({ color: 0xcdd4dc, roughness: 0.55, metalness: 0.12 });
  const joints = new Map<number, MeshStandardMaterial>();
  return {
    body,
    joint: (k) => {
      if (!joints.has(k))
        joints.set(k, new MeshStandardMaterial({ color: new Color(k < 0 ? "#4a5563" : colour(k)), roughness: 0.5, metalness: 0.1 }));
      return joints.get(k)!;
    },
  };
}

function put(geometry: BufferGeometry, material: MeshStandardMaterial, at: Vector3, along?: Vector3): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.position.copy(at);
  if (along) mesh.quaternion.copy(new Quaternion().setFromUnitVectors(up, along.clone().normalize()));
  return mesh;
}

function tube(from: Vector3, to: Vector3, radius: number, material: MeshStandardMaterial): Mesh {
  const way = to.clone().sub(from);
  return put(new CapsuleGeometry(radius, Math.max(way.length(), 1e-6), 6, 20), material, from.clone().addScaledVector(way, 0.5), way);
}

// The reach of the robot: the sum of all offsets.
export function reach(robot: Robot): number {
  const far = new Map<number, number>([[robot.root, 0]]);
  let left = robot.joints, most = 0;
  for (let found = true; found && left.length > 0;) {
    const before = left.length;
    left = left.filter((j) => {
      const start = far.get(j.parent);
      if (start === undefined) return true;
      const slides = j.type === "prismatic" && j.position >= 0 ? Math.abs(robot.neutral[j.position]) : 0;
      const tip = j.tip ? Math.hypot(j.tip[9], j.tip[10], j.tip[11]) : 0;
      const end = start + slides + tip + (j.type === "floating" ? 0 : Math.hypot(j.origin[9], j.origin[10], j.origin[11]));
      far.set(j.child, end);
      most = Math.max(most, end);
      return false;
    });
    found = left.length < before;
  }
  return most > 0 ? most : 1;
}

export class Solids {
  private readonly children = new Map<number, Joint[]>();
  private readonly carrier = new Map<number, Joint>(); // the joint that carries a link
  private readonly carried: number[];
  private readonly thickest: number;

  constructor(private readonly robot: Robot, private readonly how: Skin) {
    for (const j of robot.joints) {
      this.carrier.set(j.child, j);
      if (!this.children.has(j.parent)) this.children.set(j.parent, []);
      this.children.get(j.parent)!.push(j);
    }
    this.carried = robot.links.map((l) => l.mass);
    for (const link of this.downwards().reverse()) for (const j of this.children.get(link) ?? []) this.carried[link] += this.carried[j.child];
    const depth = new Map<number, number>([[robot.root, 0]]);
    for (const link of this.downwards()) for (const j of this.children.get(link) ?? []) depth.set(j.child, (depth.get(link) ?? 0) + 1);
    const longestChain = Math.max(...depth.values());
    this.thickest = Math.min(0.062 * reach(robot), (0.5 * reach(robot)) / Math.max(longestChain, 4));
  }

  radius(link: number): number {
    const moved = this.children.get(this.robot.root)?.reduce((sum, j) => sum + this.carried[j.child], 0) || 1;
    const share = Math.cbrt(Math.max(this.carried[link], 0) / moved);
    return this.thickest * Math.min(1, Math.max(0.4, share));
  }

  // The solid of a link, in its own frame.
  of(link: number): Object3D {
    const group = new Object3D();
    const own = this.carrier.get(link);
    const next = this.children.get(link) ?? [];
    if (!own) return group; // the root: the stage puts a stand below it
    const r = this.radius(link), back = own.tip ? inverse(own.tip) : null;
    const start = back ? new Vector3(back[9], back[10], back[11]) : new Vector3();
    const axis = new Vector3(...(back ? turned(back, own.axis) : own.axis)).normalize();
    const moves = own.type !== "fixed";
    if (moves) this.housing(group, own, start, axis, r);
    const ends = next.filter((j) => j.type !== "floating").map((j) => new Vector3(j.origin[9], j.origin[10], j.origin[11]));
    if (back && next.length === 0) ends.push(new Vector3());
    if (ends.length >= 3) this.trunk(group, [start, ...ends], r);
    else for (const end of ends) this.arm(group, start, end, axis, 0.72 * r);
    if (moves && next.length === 0) this.hand(group, link, back ? new Vector3() : start, axis, start, r);
    return group;
  }

  private housing(group: Object3D, j: Joint, at: Vector3, axis: Vector3, r: number): void {
    const k = this.robot.coordinates.findIndex((c) => this.robot.joints[c.joint] === j);
    const material = this.how.joint(j.follows ? this.robot.coordinates.findIndex((c) => c.joint === j.follows!.joint) : k);
    if (j.type === "floating" || j.type === "spherical") group.add(put(new SphereGeometry(1.1 * r, 28, 18), material, at));
    else if (j.type === "prismatic") {
      group.add(put(new BoxGeometry(1.9 * r, 2.6 * r, 1.9 * r), material, at, axis));
      this.boom(group, j, at, axis, 0.5 * r);
    } else {
      group.add(put(new CylinderGeometry(1.05 * r, 1.05 * r, 2.3 * r, 40), material, at, axis));
      group.add(put(new CylinderGeometry(0.8 * r, 0.8 * r, 2.5 * r, 40), this.how.body, at, axis));
    }
  }

  // A prismatic link reaches back to its parent at every position: it is as long as its travel.
  private boom(group: Object3D, j: Joint, at: Vector3, axis: Vector3, r: number): void {
    const c = this.robot.coordinates.find((x) => this.robot.joints[x.joint] === j), most = reach(this.robot);
    const usual = j.position >= 0 ? this.robot.neutral[j.position] : 0;
    const high = Math.min(most, Math.max(c?.upper ?? usual, 0)), low = Math.max(-most, Math.min(c?.lower ?? usual, 0));
    if (high - low > 0) group.add(tube(at.clone().addScaledVector(axis, -high), at.clone().addScaledVector(axis, -low), r, this.how.body));
  }

  // First along its own axis, then across, like shoulders and elbows of real arms.
  private arm(group: Object3D, from: Vector3, to: Vector3, axis: Vector3, r: number): void {
    const way = to.clone().sub(from);
    if (way.length() < 0.4 * r) return;
    const far = way.dot(axis), across = way.clone().addScaledVector(axis, -far);
    const elbow = from.clone().addScaledVector(axis, far);
    if (Math.abs(far) > 0.8 * r && across.length() > 0.8 * r) {
      group.add(tube(from, elbow, r, this.how.body), tube(elbow, to, r, this.how.body));
    } else group.add(tube(from, to, r, this.how.body));
  }

  private trunk(group: Object3D, points: Vector3[], r: number): void {
    const low = points[0].clone(), high = points[0].clone();
    for (const p of points) low.min(p), high.max(p);
    const size = high.clone().sub(low);
    const box = new BoxGeometry(Math.max(size.x, 1.6 * r), Math.max(size.y, 1.6 * r), Math.max(size.z, 1.6 * r));
    group.add(put(box, this.how.body, low.add(high).multiplyScalar(0.5)));
  }

  // The last link: towards its centre of mass if that is away from the joint, else a flange.
  private hand(group: Object3D, link: number, at: Vector3, axis: Vector3, start: Vector3, r: number): void {
    const com = this.robot.links[link].com;
    const centre = com ? new Vector3(...com) : at.clone();
    const far = centre.clone().sub(start);
    if (at.distanceTo(start) < 0.5 * r && far.length() > 1.5 * r) {
      this.arm(group, start, start.clone().addScaledVector(far, 2), axis, 0.72 * r);
      return;
    }
    const out = far.dot(axis) < 0 ? axis.clone().negate() : axis;
    if (at.distanceTo(start) < 0.5 * r) {
      group.add(put(new CylinderGeometry(0.62 * r, 0.62 * r, 1.8 * r, 32), this.how.body, at.clone().addScaledVector(out, 1.5 * r), out));
      group.add(put(new CylinderGeometry(1.0 * r, 1.0 * r, 0.4 * r, 32), this.how.joint(-1), at.clone().addScaledVector(out, 2.4 * r), out));
    } else group.add(put(new SphereGeometry(0.95 * r, 24, 16), this.how.joint(-1), at));
  }

  private downwards(): number[] {
    const order = [this.robot.root];
    for (let k = 0; k < order.length; ++k) for (const j of this.children.get(order[k]) ?? []) order.push(j.child);
    return order;
  }
}
