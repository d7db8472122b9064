// The 3-D view with its controls: play, the slider, the speed; and what is shown.

import { el } from "./dom";
import type { Motion } from "./motion";
import { fixed, short } from "./numbers";
import type { Report } from "./report";
import { Stage } from "./stage";

export class Player {
  readonly box: HTMLElement;
  readonly stage: Stage | null = null;
  private free: number[] | null = null; // a posture set by the sliders, not by the motion
  private readonly badge: HTMLElement;

  constructor(report: Report, private readonly motion: Motion) {
    const { clock } = motion;
    const view = el("div", { class: "view" });
    this.badge = el("div", { class: "badge", hidden: true },
      el("span", {}, "posture of the sliders"),
      el("button", { type: "button", onclick: () => this.pose(null) }, "Back to the motion"));
    try {
      this.stage = new Stage(view, report, (k) => motion.positions(k));
    } catch {
      view.append(el("p", { class: "note" }, "This browser has no WebGL, so the robot is not drawn. Everything else works."));
    }
    const tool = (text: string, on: boolean, f: (on: boolean) => void): HTMLElement =>
      el("label", { class: "check" }, el("input", { type: "checkbox", checked: on, onchange: (e: Event) => f((e.target as HTMLInputElement).checked) }), text);
    const { stage } = this;
    const floats = report.robot.joints.some((j) => j.parent === report.robot.root && j.type === "floating");
    view.append(this.badge, ...(floats ? [el("p", { class: "floating", title: "Torques are those of a robot in free space: contacts with the ground are not modelled." }, "floating base, no contacts")] : []), el("div", { class: "view-tools" },
      tool("axes", false, (on) => stage?.showAxes(on)),
      tool("path of the tip", true, (on) => stage?.showPath(on)),
      el("button", { type: "button", class: "quiet small", onclick: () => stage?.reset() }, "Reset view")));

    const rows = report.motion.rows;
    const play = el("button", { type: "button", class: "play", id: "play", "aria-label": "Play", onclick: () => { this.pose(null); clock.toggle(); } });
    const slider = el("input", { type: "range", id: "time", min: 0, max: rows - 1, step: 1, value: 0, "aria-label": "Sample of the motion",
      oninput: () => { const k = Number(slider.value); this.pose(null); clock.play(false); clock.go(k); } });
    const now = el("output", { class: "now", for: "time", id: "now" });
    const speed = el("select", { "aria-label": "Speed", onchange: () => { clock.speed = usual * Number(speed.value); } },
      ...[0.1, 0.25, 0.5, 1, 2].map((x) => el("option", { value: x, selected: x === 1 }, `${x}\u00d7`)));
    const usual = clock.speed;
    const digits = motion.timed ? Math.max(2, Math.min(4, 2 - Math.floor(Math.log10(Math.max(clock.end - clock.start, 1e-9))))) : 0;
    clock.listen(() => {
      play.classList.toggle("on", clock.playing);
      play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
      const k = clock.sample;
      slider.value = String(k);
      const at = motion.timed ? `t = ${fixed(motion.t[k], digits)} s` : "";
      slider.setAttribute("aria-valuetext", `${at ? `${at}, ` : ""}sample ${k} of 0 to ${rows - 1}`);
      now.replaceChildren(el("b", {}, at || `${k}`), el("span", { title: "sample, counted from 0" }, `${k} / ${rows - 1}`));
      if (!this.free) stage?.show(motion.between());
    });
    document.addEventListener("keydown", (e) => {
      const on = e.target as HTMLElement;
      if (e.key !== " " || ["BUTTON", "SUMMARY", "SELECT"].includes(on.tagName) || (on as HTMLInputElement).type === "checkbox" || (on as HTMLInputElement).type === "number") return;
      e.preventDefault();
      this.pose(null);
      clock.toggle();
    });
    const length = motion.timed ? `${short(clock.end - clock.start, 3)} s` : `${rows} samples`;
    this.box = el("div", { class: "player" }, view, el("div", { class: "transport" }, play, slider, now, el("span", { class: "length", title: "length of the motion" }, `of ${length}`), speed));
  }

  // Shows a given posture; null: the motion again.
  pose(q: number[] | null): void {
    if (!q && !this.free) return;
    this.free = q;
    this.badge.hidden = q === null;
    if (q) this.motion.clock.play(false);
    this.stage?.show(q ?? this.motion.between());
  }
}
