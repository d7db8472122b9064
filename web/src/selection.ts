// Which joints are listed and drawn. Groups and a filter choose the joints that are listed; of these,
// curves can be hidden one by one, or one can be shown alone.

import { el } from "./dom";
import type { Report, Robot } from "./report";

export const manyJoints = 12; // above, joints are grouped

export interface Group {
  name: string;
  members: number[]; // coordinates
}

// Letters that all names begin with, without the separator or number at the end.
function commonStart(names: string[]): string {
  let start = names[0];
  for (const n of names) while (!n.startsWith(start)) start = start.slice(0, -1);
  return names.length > 1 ? start.replace(/[\s_.:/\-\d]+$/, "") : start;
}

// Chains of the robot's tree: a group ends where the tree branches. A long chain is cut into dozens.
export function groups(robot: Robot): Group[] {
  const moves = new Map<number, number[]>(); // joint to its coordinates
  robot.coordinates.forEach((c, k) => moves.set(c.joint, [...(moves.get(c.joint) ?? []), k]));
  const above = new Map(robot.joints.map((j, k) => [j.child, k]));
  const parent = (joint: number): number => { // the next joint towards the root that moves; -1: none
    let at = above.get(robot.joints[joint].parent);
    while (at !== undefined && !moves.has(at)) at = above.get(robot.joints[at].parent);
    return at ?? -1;
  };
  const parents = new Map([...moves.keys()].map((j) => [j, parent(j)]));
  const children = new Map<number, number>();
  for (const p of parents.values()) children.set(p, (children.get(p) ?? 0) + 1);
  const all = new Map<number, Group>(); // by first joint
  const first = (joint: number): number => {
    const p = parents.get(joint)!;
    return p < 0 || children.get(p)! > 1 || robot.joints[p].type === "floating" ? joint : first(p);
  };
  for (const [joint, members] of moves) {
    const start = first(joint), group = all.get(start);
    if (group) group.members.push(...members); else all.set(start, { name: "", members: [...members] });
  }
  const cut = [...all.values()].flatMap((g) => {
    const parts = Math.ceil(g.members.length / manyJoints), each = Math.ceil(g.members.length / parts);
    return Array.from({ length: parts }, (_, k) => ({ name: "", members: g.members.slice(k * each, (k + 1) * each) }));
  });
  for (const g of cut) {
    const names = g.members.map((k) => robot.coordinates[k].name), start = commonStart(names);
    const floats = robot.joints[robot.coordinates[g.members[0]].joint].type === "floating";
    g.name = floats ? "floating base" : start.length > 2 && cut.length < 40 ? start : `${names[0]} \u2026 ${names[names.length - 1]}`;
  }
  // Names that are not unique name their ends too: "left hip \u2026 ankle".
  const ends = (g: Group): string[] => [g.members[0], g.members[g.members.length - 1]].map((k) => robot.coordinates[k].name);
  const again = (rename: (g: Group) => string): void => {
    const names = cut.map((g) => g.name);
    cut.forEach((g) => { if (names.filter((n) => n === g.name).length > 1) g.name = rename(g); });
  };
  again((g) => `${g.name} ${ends(g).map((n) => n.slice(g.name.length).split(/[\s_.:/-]+/).find((part) => part !== "") ?? n).join(" \u2026 ")}`);
  again((g) => ends(g).join(" \u2026 "));
  return cut;
}

export class Selection {
  readonly groups: Group[];
  private readonly count: number;
  private readonly names: string[];
  private readonly hidden = new Set<number>();
  private alone: number | null = null;
  private group: Group | null = null;
  private text = "";
  private readonly listeners: (() => void)[] = [];

  constructor(report: Report) {
    const { robot } = report;
    this.count = robot.coordinates.length;
    this.names = robot.coordinates.map((c) => c.name.toLowerCase());
    this.groups = this.count > manyJoints ? groups(robot) : [];
    if (this.groups.length < 2) this.groups = [];
    if (this.groups.length === 0) return;
    // The group with the most used limit, or the first with a motor.
    const share = (g: Group): number => Math.max(...g.members.map((k) => report.limits.joints[k]?.share ?? 0));
    const driven = this.groups.filter((g) => report.limits.joints[g.members[0]]?.actuated);
    this.group = (driven.length > 0 ? driven : this.groups).reduce((a, b) => (share(b) > share(a) ? b : a));
  }

  lists(k: number): boolean {
    return (!this.group || this.group.members.includes(k)) && (this.text === "" || (this.names[k] ?? "").includes(this.text));
  }
  shows(k: number): boolean { return this.alone !== null ? this.alone === k : this.lists(k) && !this.hidden.has(k); }
  get limited(): boolean { return this.group !== null || this.text !== ""; }
  isAlone(k: number): boolean { return this.alone === k; }

  // Hides the curves of a joint or shows them again. Where one is shown alone, the others return.
  toggle(k: number): void {
    if (this.alone !== null) {
      this.hidden.clear();
      for (let i = 0; i < this.count; ++i) if (i !== this.alone && i !== k) this.hidden.add(i);
      if (k === this.alone) this.hidden.add(k);
      this.alone = null;
    } else if (!this.hidden.delete(k)) this.hidden.add(k);
    this.tell();
  }
  solo(k: number): void { this.alone = this.alone === k ? null : k; this.tell(); }
  choose(group: Group | null): void { this.group = group; this.alone = null; this.hidden.clear(); this.tell(); }
  match(text: string): void {
    this.text = text.trim().toLowerCase();
    this.alone = null;
    if (this.text !== "") this.group = null;
    this.tell();
  }
  all(): void { this.group = null; this.text = ""; this.alone = null; this.hidden.clear(); this.tell(); }

  listen(f: () => void): void { this.listeners.push(f); }
  private tell(): void { for (const f of this.listeners) f(); }

  // Buttons of groups and a field for names; null where there are few joints.
  tools(): HTMLElement | null {
    if (this.count <= manyJoints) return null;
    const field = el("input", { type: "search", id: "filter", placeholder: "filter by name", "aria-label": "Filter joints by name", oninput: () => this.match(field.value) });
    const chips = this.groups.map((g) => ({ g, chip: el("button", { type: "button", class: "chip", title: `${g.members.length} coordinates`, onclick: () => { field.value = ""; this.text = ""; this.choose(this.group === g ? null : g); } }, g.name) }));
    const every = el("button", { type: "button", class: "chip", id: "all-joints", onclick: () => { field.value = ""; this.all(); } }, `all ${this.count}`);
    const show = (): void => {
      for (const { g, chip } of chips) chip.setAttribute("aria-pressed", String(this.group === g));
      every.setAttribute("aria-pressed", String(!this.group && this.text === ""));
    };
    this.listen(show);
    show();
    return el("div", { class: "chips", role: "group", "aria-label": "Groups of joints" }, ...chips.map((c) => c.chip), every, field);
  }
}
