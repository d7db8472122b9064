// The page: the program's results, section by section.

import { compare } from "./compare";
import { control } from "./control";
import { curves } from "./curves";
import { card, el } from "./dom";
import { formulations } from "./formulations";
import { friction } from "./friction";
import { live } from "./live";
import { Motion } from "./motion";
import { short } from "./numbers";
import { pipeline } from "./pipeline";
import { Player } from "./player";
import { type Report, read } from "./report";
import { schedule } from "./schedule";
import { Selection } from "./selection";
import { stability } from "./stability";
import { setUpTheme } from "./theme";
import { verdict } from "./verdict";

function tabs(all: [id: string, title: string, content: HTMLElement][]): HTMLElement {
  const buttons = all.map(([id, title], k) => el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => choose(k), onkeydown: (e: KeyboardEvent) => {
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? all.length - 1 : 0;
    if (step) { choose((k + step) % all.length); buttons[(k + step) % all.length].focus(); }
  } }, title));
  const panels = all.map(([id, , content]) => el("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }, content));
  function choose(k: number): void {
    buttons.forEach((b, i) => { b.setAttribute("aria-selected", String(i === k)); b.tabIndex = i === k ? 0 : -1; });
    panels.forEach((p, i) => { p.hidden = i !== k; });
    all[k][2].dispatchEvent(new Event("open"));
  }
  choose(0);
  return el("div", { class: "side" }, all.length > 1 ? el("div", { role: "tablist", class: "tabs" }, ...buttons) : null, ...panels);
}

function facts(report: Report): HTMLElement[] {
  const { robot } = report;
  const all: [string, string][] = [
    [String(robot.nv), robot.nv === 1 ? "degree of freedom" : "degrees of freedom"],
    [`${short(robot.mass, 3)} kg`, "mass"],
  ];
  return all.map(([value, what]) => el("div", {}, el("dd", {}, value), el("dt", {}, what)));
}

// What the numbers assume: friction, payload, base, gravity, rotors, motion.
function assumptions(report: Report): HTMLElement[] {
  return report.model.assumptions.map(([name, text]) => el("div", { "data-assumption": name }, el("dt", {}, name), el("dd", {}, text)));
}

// Parts of the torque computation that engineers of hardware and controllers study; no part of the verdict.
function divider(there: boolean): HTMLElement | null {
  return there ? el("section", { id: "studies", class: "divider", "aria-labelledby": "studies-title" },
    el("h2", { id: "studies-title" }, "Studies of the computation"),
    el("p", { class: "says" }, "The sections below are about computing the torques: formulations, parallel processors, hardware, and controllers with stale data, after papers of 1983 to 1994. They do not change the figures above.")) : null;
}

function about(report: Report): HTMLElement {
  const { robot } = report;
  const list = (items: string[]): HTMLElement => el("ul", {}, ...items.map((t) => el("li", {}, t)));
  return card("about", "About this robot", "",
    robot.source ? el("p", {}, "Its figures come from: ", robot.source) : null,
    report.notes.length > 0 ? el("div", {}, el("h3", {}, "Notes"), list(report.notes)) : null,
    el("h3", {}, "Links"),
    el("p", { class: "links", id: "links" }, ...robot.links.flatMap((l, k) => [k > 0 ? ", " : "", el("span", { title: `${short(l.mass)} kg` }, l.name)])));
}

function start(): void {
  const report = read(), { robot } = report;
  setUpTheme(document.getElementById("theme")!);
  document.getElementById("print")!.addEventListener("click", () => print());
  document.getElementById("summary")!.textContent = robot.summary;
  document.getElementById("colophon")!.textContent = `Written by parid ${report.version} report. SI units and radians; samples count from 0. Torques are of ${report.model.torques}; ${report.model.around}.`;
  document.getElementById("model")!.replaceChildren(...assumptions(report));
  const motion = new Motion(report);
  document.getElementById("facts")!.replaceChildren(...facts(report));

  const selection = new Selection(report);
  const player = new Player(report, motion);
  const tryIt = live(report, motion, player, selection);
  const side: [string, string, HTMLElement][] = [["motion", "Along the motion", curves(report, motion, selection)]];
  if (tryIt) side.push(["live", "Try it", tryIt]);
  const hero = el("section", { id: "motion", class: "hero", "aria-label": "The motion" }, player.box, tabs(side));

  const studies: [string, HTMLElement | null][] = [
    ["Formulations", formulations(report)], ["Schedule", schedule(report)], ["Pipeline", pipeline(report)], ["Control", control(report, motion)], ["Stability", stability(report)],
  ];
  const sections: [string, HTMLElement | null][] = [
    ["Verdict", verdict(report, motion, selection)], ["Motion", hero], ["Comparison", compare(report, motion)], ["Friction", friction(report, motion)],
    ["", divider(studies.some((s) => s[1] !== null))], ...studies, ["About", about(report)],
  ];
  const there = sections.filter((s): s is [string, HTMLElement] => s[1] !== null);
  document.getElementById("main")!.replaceChildren(...there.map(([, s]) => s));
  const contents = document.getElementById("contents")!;
  contents.replaceChildren(...there.map(([name, s]) => (name ? el("a", { href: `#${s.id}` }, name) : el("span", { class: "gap", "aria-hidden": "true" }))));
  const seen = new IntersectionObserver((all) => {
    for (const s of all) if (s.isIntersecting) for (const a of contents.children) a.classList.toggle("here", a.getAttribute("href") === `#${s.target.id}`);
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const [, s] of there) seen.observe(s);
  motion.clock.seek(motion.clock.start);
  // For tests: values that the page computes.
  Object.assign(globalThis, { paridPage: { motion, selection, stage: player.stage } });
}

start();
