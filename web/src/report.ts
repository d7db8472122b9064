// The data that the program embeds in the page: one JSON object, with arrays as base64 of their bytes.

export interface Packed {
  f64?: string;
  u16?: string;
  u32?: string;
}

export interface Joint {
  name: string;
  type: "revolute" | "continuous" | "prismatic" | "fixed" | "floating" | "planar" | "spherical";
  parent: number;
  child: number;
  origin: number[]; // twelve numbers: a rotation row by row, then a position
  tip?: number[];
  plane?: number[];
  axis: number[];
  position: number; // of its first coordinate in q; -1: none
  follows?: { joint: number; multiplier: number; offset: number; polynomial?: number[]; linkage?: Linkage };
}

// A four-bar linkage: src/model/joint/coupling.hpp has the formulas.
export interface Linkage {
  ground: number;
  input: number;
  coupler: number;
  output: number;
  angle: number;
  sign: number;
  turns: number;
  middle: number;
  zero: number;
}

export interface Coordinate {
  name: string;
  joint: number;
  position: number; // in q; -1: part of a quaternion
  slides: boolean;
  lower: number | null;
  upper: number | null;
  velocity: number | null;
  effort: number | null;
}

export interface Robot {
  name: string;
  summary: string;
  source: string;
  nq: number;
  nv: number;
  mass: number;
  gravity: number[];
  root: number;
  tip: number;
  neutral: number[];
  links: { name: string; mass: number; com?: number[] }[];
  joints: Joint[];
  coordinates: Coordinate[];
}

export interface Visuals {
  parts: { link: number; kind: "box" | "cylinder" | "sphere" | "mesh"; size: number[]; at: number[]; colour?: number[]; mesh?: number }[];
  meshes: { low: number[]; step: number[]; points: Packed; triangles: Packed }[];
  unseen: number[];
}

export interface LimitUse {
  value: number | null;
  limit: number | null; // null: the robot file gives none
  share: number | null;
  holds: boolean | null;
  t?: number | null;
  sample?: number | null;
}

// What the motion asks of one joint; the keys are those of `parid limits --json`.
export interface Load {
  name: string;
  slides: boolean;
  peak: number | null;
  rms: number | null;
  limit: number | null;
  share: number | null;
  t: number | null;
  sample: number | null;
  actuated: boolean;
  mimics: string | null;
  positions: [number, number] | null;
  gear_ratio: number;
  effort?: LimitUse;
  velocity?: LimitUse;
  position?: LimitUse;
  continuous_effort?: LimitUse;
  motor_torque?: LimitUse;
  motor_continuous_torque?: LimitUse;
  motor_speed?: LimitUse;
  motor_power?: LimitUse;
}

export interface Limits {
  holds: boolean | null;
  margin: number;
  joints: Load[]; // by velocity coordinate; then mimic joints
  limits_broken: ({ coordinate: string; kind: string } & LimitUse)[];
  limits_missing: { effort: string[]; velocity: string[] };
  peak_power: number;
  regenerative_power: number;
}

export interface MotionData {
  name: string;
  rows: number;
  stride: number; // every stride-th sample is in the page
  t: Packed | null;
  q: Packed;
  v: Packed;
  a: Packed;
  tau: Packed;
  path: Packed;
  limits_broken: { coordinate: string; kind: string; value: number; limit: number; sample: number }[];
}

export interface Formulation {
  id: string;
  exact?: boolean;
  max_relative_error: number | null;
  multiplications: number | null;
  additions: number | null;
  customised?: { multiplications: number; additions: number } | null;
  depth?: number | null;
  ns: number | null;
  reason?: string;
}

export interface ScheduleRun {
  processors: number;
  makespan: number;
  lower_bound: number;
  optimal: boolean;
  speedup: number;
  efficiency: number;
  start?: number[];
  on?: number[];
}

export interface ScheduleData {
  unit: string;
  decomposition: string;
  tasks: number;
  edges: number;
  total: number;
  critical_path: number;
  note: string;
  asked: number;
  names: string[];
  durations: number[];
  joints: number[];
  runs: ScheduleRun[];
}

export interface Wire {
  wait: number;
  sign: boolean;
  port: number;
  box?: number;
  from_port?: number;
  input?: number;
  to?: number;
  output?: number;
}

export interface PipelineData {
  ik: null | {
    arm: string;
    modules: number;
    stages: number;
    buffers: number;
    tapped_lines: number;
    inputs: { name: string; sign: boolean }[];
    outputs: string[];
    boxes: { kind: string; does: string; stage: number }[];
    wires: Wire[];
  };
  dynamics: {
    word: number;
    multipliers: number;
    adders: number;
    sine_units: number;
    interval: number;
    latency: number;
    registers: number;
    max_error: number;
    error_bound: number;
    multiplications: number[];
    additions: number[];
    sines: number[];
    waiting: number[];
  };
}

export interface ControlData {
  law: string;
  period: number;
  friction: boolean;
  runs: {
    id: string;
    max_error: number;
    rms_error: number;
    final_error: number;
    diverged_at: number | null;
    t: Packed;
    error: Packed;
    tau: Packed;
  }[];
}

export interface StabilityData {
  law: string;
  poses: number;
  periods: number[];
  policies: { id: string; what?: string; largest_safe_period: number; spectral_radius: (number | null)[]; by_pose: number[]; steps: number; depth: number }[];
}

// Describes the model behind the numbers; every section shows it.
export interface Model {
  rigid: string; // rigid bodies and rotors, without friction
  torques: string; // along the motion and for the sliders
  brief: string; // a short form for headings
  around: string; // payload, base, gravity
  friction_omitted: boolean; // the robot file has friction, and the torques do not count it
  assumptions: [name: string, text: string][];
}

// A second run beside the first: another robot, payload or motion.
export interface Comparison {
  labels: [string, string];
  model: Model;
  coordinates: Coordinate[];
  nq: number;
  motion: { name: string; rows: number; t: Packed | null; q: Packed; v: Packed; tau: Packed };
  limits: Limits;
  pairs: [number, number][]; // coordinates that are compared
  alone: [string[], string[]]; // coordinates of one run only
}

export interface Report {
  version: string;
  model: Model;
  robot: Robot;
  visuals: Visuals;
  motion: MotionData;
  limits: Limits;
  compare?: Comparison;
  friction?: { rigid: Packed; bearing: Packed; drive: Packed };
  live?: { link: number; friction: boolean; multiplications: number; additions: number; sincos: number };
  formulations?: { samples: number; inverse: Formulation[]; forward: Formulation[] };
  schedule?: ScheduleData;
  pipeline?: PipelineData;
  control?: ControlData;
  stability?: StabilityData;
  notes: string[];
  sections: string[];
}

export function read(): Report {
  return JSON.parse(document.getElementById("data")!.textContent!) as Report;
}

function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) out[k] = text.charCodeAt(k);
  return out.buffer;
}

export function doubles(p: Packed): Float64Array {
  return new Float64Array(bytes(p.f64!));
}

export function wholes(p: Packed): Uint16Array | Uint32Array {
  return p.u16 !== undefined ? new Uint16Array(bytes(p.u16)) : new Uint32Array(bytes(p.u32!));
}

// The columns of a column-major array.
export function columns(p: Packed, count: number): Float64Array[] {
  const all = doubles(p);
  const rows = count > 0 ? all.length / count : 0;
  return Array.from({ length: count }, (_, k) => all.subarray(k * rows, (k + 1) * rows));
}
