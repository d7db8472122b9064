// The robot in 3-D: links at their poses, a floor, the path of the tip, and an orbiting camera. Drawn only
// when something has changed.

import {
  AmbientLight, ArrowHelper, AxesHelper, Box3, BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry, DirectionalLight, DoubleSide, GridHelper, Group, HemisphereLight,
  Line, LineBasicMaterial, LineDashedMaterial, Matrix4, Mesh, MeshStandardMaterial, Object3D, PCFSoftShadowMap, PerspectiveCamera, PlaneGeometry, Quaternion, Scene,
  ShadowMaterial, SphereGeometry, MeshBasicMaterial, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import { Kinematics, inverse, turned } from "./kinematics";
import { type Report, type Robot, type Visuals, doubles, wholes } from "./report";
import { Solids, reach, skin } from "./solids";
import { colour, onTheme, variable } from "./theme";

function matrix(pose: ArrayLike<number>, from = 0, to = new Matrix4()): Matrix4 {
  const p = (k: number): number => pose[from + k];
  return to.set(p(0), p(1), p(2), p(9), p(3), p(4), p(5), p(10), p(6), p(7), p(8), p(11), 0, 0, 0, 1);
}

function looks(v: Visuals, how: ReturnType<typeof skin>): (part: Visuals["parts"][number]) => Object3D {
  const geometries = v.meshes.map((m) => {
    const whole = wholes(m.points), points = new Float32Array(whole.length);
    for (let k = 0; k < whole.length; ++k) points[k] = m.low[k % 3] + m.step[k % 3] * whole[k];
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(points, 3));
    g.setIndex(new BufferAttribute(wholes(m.triangles), 1));
    return g;
  });
  return (part) => {
    const [a, b, c] = part.size;
    const material = part.colour
      ? new MeshStandardMaterial({ color: new Color().setRGB(part.colour[0], part.colour[1], part.colour[2], "srgb"), opacity: part.colour[3], transparent: part.colour[3] < 1, roughness: 0.6, metalness: 0.1 })
      : how.body.clone();
    let geometry: BufferGeometry;
    if (part.kind === "box") geometry = new BoxGeometry(a, b, c);
    else if (part.kind === "cylinder") geometry = new CylinderGeometry(a, a, b, 40).rotateX(Math.PI / 2); // along z, as in URDF
    else if (part.kind === "sphere") geometry = new SphereGeometry(a, 32, 20);
    else {
      geometry = geometries[part.mesh!];
      material.flatShading = true;
      material.side = DoubleSide;
    }
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    matrix(part.at, 0, mesh.matrix);
    if (part.kind === "mesh") mesh.matrix.scale(new Vector3(a, b, c));
    return mesh;
  };
}

export class Stage {
  readonly kinematics: Kinematics;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly world = new Group(); // rotated so that z points up
  private readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly links: Object3D[];
  private readonly path: Line;
  private readonly marker: Mesh;
  private readonly poses: Float64Array;
  private readonly robot: Robot;
  private readonly home = { eye: new Vector3(), target: new Vector3() };
  private waiting = false;
  private seen = false; // the robot file has visuals

  // Throws if the browser has no WebGL.
  constructor(private readonly box: HTMLElement, report: Report, q: (sample: number) => number[]) {
    const robot = (this.robot = report.robot);
    this.kinematics = new Kinematics(robot);
    this.poses = new Float64Array(12 * robot.links.length);
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    const canvas = this.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${robot.name} in three dimensions; arrow keys rotate the view, plus and minus zoom`);
    box.prepend(canvas);

    const g = new Vector3(...robot.gravity);
    const up = g.length() > 0 ? g.clone().negate().normalize() : new Vector3(0, 0, 1);
    this.world.quaternion.copy(new Quaternion().setFromUnitVectors(up, new Vector3(0, 0, 1)));
    this.scene.add(this.world);

    const how = skin();
    const solids = new Solids(robot, how), look = looks(report.visuals, how);
    const seen = (this.seen = report.visuals.parts.length > 0), unseen = new Set(report.visuals.unseen);
    // A body without visuals would leave a gap in the robot.
    const shown = new Set(report.visuals.parts.map((p) => p.link));
    this.links = robot.links.map(({ mass }, k) => {
      const link = !seen || unseen.has(k) || (mass > 0 && !shown.has(k)) ? solids.of(k) : new Group();
      for (const part of report.visuals.parts) if (part.link === k) link.add(look(part));
      link.matrixAutoUpdate = false;
      this.world.add(link);
      return link;
    });

    const size = reach(robot);
    const bounds = this.bounds(report.motion.rows, q);
    const floor = this.addFloor(bounds, size, !seen, solids);
    this.addLights(bounds, floor);
    this.addAxes(size);
    const path = doubles(report.motion.path);
    const line = new BufferGeometry();
    line.setAttribute("position", new BufferAttribute(Float32Array.from(path), 3));
    this.path = new Line(line, new LineBasicMaterial({ color: colour(1) }));
    this.marker = new Mesh(new SphereGeometry(0.009 * size, 16, 12), new MeshBasicMaterial({ color: colour(1) }));
    this.world.add(this.path, this.marker);

    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.controls.zoomSpeed = 0.7;
    this.look(bounds, floor);
    canvas.addEventListener("keydown", (e) => this.key(e));
    onTheme(() => {
      (this.path.material as LineBasicMaterial).color.set(colour(1));
      (this.marker.material as MeshBasicMaterial).color.set(colour(1));
      robot.coordinates.forEach((_, k) => how.joint(k).color.set(colour(k)));
      this.paintFloor();
      this.draw();
    });
    new ResizeObserver(() => this.fit()).observe(box);
    this.fit();
  }

  show(q: ArrayLike<number>): void {
    this.kinematics.poses(q, this.poses);
    this.place();
    const tip = 12 * this.robot.tip + 9;
    this.marker.position.set(this.poses[tip], this.poses[tip + 1], this.poses[tip + 2]);
    this.hang();
    this.draw();
  }
  private place(): void {
    this.links.forEach((link, k) => {
      matrix(this.poses, 12 * k, link.matrix);
      link.matrixWorldNeedsUpdate = true;
    });
  }
  // Path of the tip, in the root's frame, computed by `parid`.
  tip(): number[] {
    return Array.from(this.poses.subarray(12 * this.robot.tip + 9, 12 * this.robot.tip + 12));
  }
  showAxes(on: boolean): void { for (const a of this.arrows) a.visible = on; this.draw(); }
  showPath(on: boolean): void { this.path.visible = on; this.draw(); }
  reset(): void {
    this.camera.position.copy(this.home.eye);
    this.controls.target.copy(this.home.target);
    this.controls.update();
    this.draw();
  }

  draw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.renderer.render(this.scene, this.camera);
    });
  }

  // The bounds of the robot along the motion, in the rotated world.
  private bounds(rows: number, q: (sample: number) => number[]): { low: Vector3; high: Vector3 } {
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate();
    const p = new Vector3();
    for (let k = 0; k < 24; ++k) {
      const poses = this.kinematics.poses(q(Math.round((k * (rows - 1)) / 23)), this.poses);
      for (let l = 0; l < this.links.length; ++l) {
        p.set(poses[12 * l + 9], poses[12 * l + 10], poses[12 * l + 11]).applyQuaternion(this.world.quaternion);
        low.min(p);
        high.max(p);
      }
      if (!this.seen || k % 6 !== 0) continue;
      this.place();
      this.world.updateMatrixWorld(true);
      const box = new Box3().setFromObject(this.world);
      low.min(box.min);
      high.max(box.max);
    }
    return { low, high };
  }

  private addFloor(b: { low: Vector3; high: Vector3 }, size: number, stand: boolean, solids: Solids): number {
    const first = this.robot.joints.filter((j) => j.parent === this.robot.root && j.type !== "floating");
    const r = first.length > 0 ? solids.radius(first[0].child) : 0.05 * size;
    const loose = this.robot.joints.some((j) => j.parent === this.robot.root && j.type === "floating");
    const level = b.low.z > -0.03 * size && !loose && !this.seen ? Math.min(0, b.low.z) - (stand && first.some((j) => Math.abs(j.origin[11]) < r) ? 2.2 * r : 0) : b.low.z - (loose ? 0.3 * Math.max(size, 0.5 * b.high.distanceTo(b.low)) : this.seen ? 0 : 1.5 * r);
    const shade = new Mesh(new PlaneGeometry(8 * size, 8 * size), new ShadowMaterial({ opacity: 0.22 }));
    shade.receiveShadow = true;
    shade.position.z = level;
    this.scene.add(shade);
    const cell = 10 ** Math.floor(Math.log10(size / 2)), cells = 2 * Math.ceil((1.6 * size) / cell);
    this.floor = { level, cell, cells };
    this.paintFloor();
    if (loose) this.addPlumb(size);
    if (stand && first.length > 0 && !loose) {
      const material = new MeshStandardMaterial({ color: 0x6d7885, roughness: 0.7, metalness: 0.1 });
      const height = Math.max(-level, 0.2 * r);
      const column = new Mesh(new CylinderGeometry(1.15 * r, 1.35 * r, height, 40).rotateX(Math.PI / 2), material);
      column.position.z = level + height / 2;
      const plate = new Mesh(new CylinderGeometry(2.1 * r, 2.1 * r, 0.3 * r, 48).rotateX(Math.PI / 2), material);
      plate.position.z = level + 0.15 * r;
      for (const m of [column, plate]) {
        m.castShadow = m.receiveShadow = true;
        this.scene.add(m);
      }
      // From the root's frame to its joints.
      for (const j of first) {
        const to = new Vector3(j.origin[9], j.origin[10], j.origin[11]).applyQuaternion(this.world.quaternion);
        if (to.length() < 0.5 * r) continue;
        const post = new Mesh(new CylinderGeometry(1.0 * r, 1.15 * r, to.length(), 40), material);
        post.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), to.clone().normalize());
        post.position.copy(to).multiplyScalar(0.5);
        post.castShadow = post.receiveShadow = true;
        this.scene.add(post);
      }
    }
    return level;
  }
  // Of a floating base: its frame, and a dashed line down to the floor, which does not support it.
  private plumb?: Line;
  private addPlumb(size: number): void {
    const base = this.floatingBase();
    if (base < 0) return;
    this.links[base].add(new AxesHelper(0.16 * size));
    const line = new BufferGeometry();
    line.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
    this.plumb = new Line(line, new LineDashedMaterial({ color: 0x8793a3, dashSize: 0.02 * size, gapSize: 0.015 * size }));
    this.plumb.frustumCulled = false;
    this.scene.add(this.plumb);
  }
  // The link that a floating joint carries; -1: none.
  floatingBase(): number { return this.robot.joints.find((j) => j.parent === this.robot.root && j.type === "floating")?.child ?? -1; }
  // The height of a link above the floor.
  heightAboveFloor(link: number): number {
    return new Vector3(this.poses[12 * link + 9], this.poses[12 * link + 10], this.poses[12 * link + 11]).applyQuaternion(this.world.quaternion).z - this.floor.level;
  }
  private hang(): void {
    if (!this.plumb) return;
    const base = 12 * this.floatingBase() + 9, p = new Vector3(this.poses[base], this.poses[base + 1], this.poses[base + 2]).applyQuaternion(this.world.quaternion);
    (this.plumb.geometry.getAttribute("position") as BufferAttribute).set([p.x, p.y, p.z, p.x, p.y, this.floor.level]);
    this.plumb.geometry.getAttribute("position").needsUpdate = true;
    this.plumb.computeLineDistances();
  }
  private floor = { level: 0, cell: 0.1, cells: 10 };
  private grid?: GridHelper;
  private paintFloor(): void {
    if (this.grid) this.scene.remove(this.grid);
    const { level, cell, cells } = this.floor;
    this.grid = new GridHelper(cells * cell, cells, new Color(variable("--grid-strong")), new Color(variable("--grid")));
    this.grid.rotateX(Math.PI / 2);
    this.grid.position.z = level + 1e-4 * cells * cell;
    this.scene.add(this.grid);
  }

  private addLights(b: { low: Vector3; high: Vector3 }, floor: number): void {
    const centre = b.low.clone().add(b.high).multiplyScalar(0.5), width = Math.max(b.high.distanceTo(b.low), 0.2);
    this.scene.add(new HemisphereLight(0xffffff, 0x8a94a3, 1.5), new AmbientLight(0xffffff, 0.35));
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.copy(centre).add(new Vector3(0.55, -0.5, 1.1).multiplyScalar(2 * width));
    sun.target.position.set(centre.x, centre.y, floor);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    const c = sun.shadow.camera;
    c.left = c.bottom = -1.3 * width;
    c.right = c.top = 1.3 * width;
    c.near = 0.01 * width;
    c.far = 8 * width;
    sun.shadow.radius = 5;
    sun.shadow.bias = -5e-4;
    sun.shadow.normalBias = 0.004 * width;
    const fill = new DirectionalLight(0xdfe9ff, 0.7);
    fill.position.copy(centre).add(new Vector3(-1, 0.6, 0.4).multiplyScalar(width));
    this.scene.add(sun, sun.target, fill, fill.target);
    fill.target.position.copy(centre);
  }

  // Each joint's axis, in its colour, attached to the link that it moves.
  private addAxes(size: number): void {
    this.robot.coordinates.forEach((c, k) => {
      const j = this.robot.joints[c.joint];
      if (j.type === "floating" || j.type === "spherical") return;
      const back = j.tip ? inverse(j.tip) : null;
      const at = back ? new Vector3(back[9], back[10], back[11]) : new Vector3();
      const axis = new Vector3(...(back ? turned(back, j.axis) : j.axis)).normalize();
      const arrow = new ArrowHelper(axis, at, 0.17 * size, new Color(colour(k)), 0.035 * size, 0.018 * size);
      const hung = new Group();
      hung.matrixAutoUpdate = false;
      hung.add(arrow);
      this.links[j.child].add(hung);
      arrow.visible = false;
      this.arrows.push(arrow);
    });
  }
  private readonly arrows: ArrowHelper[] = [];

  private look(b: { low: Vector3; high: Vector3 }, floor: number): void {
    const low = b.low.clone(), high = b.high.clone();
    low.z = Math.min(low.z, floor);
    const centre = low.clone().add(high).multiplyScalar(0.5);
    const radius = 0.5 * high.distanceTo(low) + 0.1 * reach(this.robot);
    this.home.target.copy(centre);
    const flat = high.y - low.y < 0.02 * radius || high.x - low.x < 0.02 * radius;
    const thin = high.y - low.y < high.x - low.x;
    const direction = flat ? (thin ? new Vector3(0.35, -1, 0.3) : new Vector3(1, -0.35, 0.3)) : new Vector3(1, -1.05, 0.62);
    this.home.eye.copy(centre).addScaledVector(direction.normalize(), (0.98 * radius) / Math.sin((17.5 * Math.PI) / 180));
    this.camera.near = 0.01 * radius;
    this.camera.far = 60 * radius;
    this.controls.minDistance = 0.5 * radius;
    this.controls.maxDistance = 15 * radius;
    this.reset();
  }

  private key(e: KeyboardEvent): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const sideways = new Vector3(0, 0, 1), step = 0.09;
    if (e.key === "ArrowLeft") offset.applyAxisAngle(sideways, -step);
    else if (e.key === "ArrowRight") offset.applyAxisAngle(sideways, step);
    else if (e.key === "ArrowUp" || e.key === "ArrowDown") {
      const right = offset.clone().cross(sideways).normalize();
      const turned = offset.clone().applyAxisAngle(right, e.key === "ArrowUp" ? step : -step);
      if (Math.abs(turned.clone().normalize().z) < 0.985) offset.copy(turned);
    } else if (e.key === "+" || e.key === "=") offset.multiplyScalar(0.9);
    else if (e.key === "-") offset.multiplyScalar(1.1);
    else if (e.key === "Home") return this.reset();
    else return;
    e.preventDefault();
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.draw();
  }

  private fit(): void {
    const { clientWidth: w, clientHeight: h } = this.box;
    if (w === 0 || h === 0) return;
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    // A narrow box shows as much horizontally as a wide one vertically.
    this.camera.fov = w < h ? (2 * Math.atan(Math.tan((17.5 * Math.PI) / 180) * (h / w)) * 180) / Math.PI : 35;
    this.camera.updateProjectionMatrix();
    this.draw();
  }
}
