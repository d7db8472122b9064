// Curves over time with a line at the current time. A press moves the clock, dragging zooms all plots of that
// clock, a double click shows everything again. The values under the pointer are shown beside it.

import uPlot from "uplot";

import type { Clock } from "./clock";
import { el } from "./dom";
import { short } from "./numbers";
import { colour, css, dashes, onTheme, variable } from "./theme";

export interface Curve {
  name: string;
  y: Float64Array;
  style: number; // which colour
  faint?: boolean;
  dashed?: boolean;
  limits?: number[]; // horizontal lines in its colour
}

export interface PlotOptions {
  title: string;
  unit: string;
  x: Float64Array;
  curves: Curve[];
  across?: string;
  clock?: Clock;
  height?: number;
  last?: boolean; // with numbers along the time axis
  timeUnit?: string; // in the read-out
}

const font = "11px system-ui, sans-serif";
const mostRead = 14; // values in the read-out

// Sets of curves that a reader cannot tell apart: their difference is below a pixel or so everywhere.
export function coinciding(curves: Curve[], shown: (c: Curve) => boolean): Curve[][] {
  const all = curves.filter(shown);
  let low = Infinity, high = -Infinity;
  const rows = all.length > 0 ? all[0].y.length : 0, step = Math.max(1, Math.floor(rows / 400));
  for (const c of all) for (let k = 0; k < rows; k += step) if (Number.isFinite(c.y[k])) { low = Math.min(low, c.y[k]); high = Math.max(high, c.y[k]); }
  const close = 0.006 * Math.max(high - low, 1e-12);
  const same = (a: Float64Array, b: Float64Array): boolean => {
    for (let k = 0; k < rows; k += step) if (Math.abs(a[k] - b[k]) > close) return false;
    return true;
  };
  const sets: Curve[][] = [];
  for (const c of all) {
    const set = sets.find((s) => same(s[0].y, c.y));
    if (set) set.push(c); else sets.push([c]);
  }
  return sets.filter((s) => s.length > 1);
}

export class Plot {
  readonly box: HTMLElement;
  private u?: uPlot;
  private readonly hidden = new Set<number>();
  private readonly hand: HTMLElement;
  private readonly holder: HTMLElement;
  private readonly readout: HTMLElement;
  private readonly same: HTMLElement;
  private inside = false;
  private allLimits = false;

  constructor(private o: PlotOptions) {
    this.holder = el("div", { class: "plot-area" });
    this.hand = el("div", { class: "hand" });
    this.readout = el("div", { class: "readout", hidden: true });
    this.same = el("span", { class: "same" });
    this.box = el("figure", { class: "plot" }, el("figcaption", {}, o.title, el("span", { class: "unit" }, o.unit), this.same), this.holder, this.readout);
    onTheme(() => this.u?.redraw(false, true));
    let width = 0;
    new ResizeObserver(() => {
      const now = Math.floor(this.holder.clientWidth);
      if (now <= 0 || now === width) return;
      width = now;
      if (this.u) this.u.setSize({ width, height: this.height });
      else this.make(width);
      this.point();
    }).observe(this.holder);
    o.clock?.listen(() => this.point());
    o.clock?.onZoom(() => this.applyZoom());
    this.distinguish();
  }

  // Labels of the time axis, for the lowest of several plots that are shown.
  label(unit: string, on: boolean): void {
    if ((this.o.last ?? false) === on) return;
    this.o = { ...this.o, last: on, height: this.height + (on ? 18 : -18), across: unit };
    this.again();
  }

  // Other curves over the same or another time.
  set(x: Float64Array, curves: Curve[], unit = this.o.unit): void {
    this.o = { ...this.o, x, curves, unit };
    this.box.querySelector(".unit")!.textContent = unit;
    this.distinguish();
    this.again();
  }
  private again(): void {
    if (!this.u) return;
    const width = this.u.width;
    this.u.destroy();
    this.make(width);
    this.point();
  }

  // Shows the curves for which `shows` holds.
  show(shows: (style: number) => boolean): void {
    this.hidden.clear();
    this.o.curves.forEach((c) => { if (!shows(c.style)) this.hidden.add(c.style); });
    this.box.hidden = this.o.curves.length > 0 && this.o.curves.every((c) => this.hidden.has(c.style));
    this.distinguish();
    const { u } = this;
    if (!u) return;
    u.batch(() => this.o.curves.forEach((c, k) => {
      (u.series[k + 1] as { dash?: number[] }).dash = this.dash(c);
      if (u.series[k + 1].show !== !this.hidden.has(c.style)) u.setSeries(k + 1, { show: !this.hidden.has(c.style) });
    }));
    this.applyZoom();
  }

  // Extends the scale to every limit, however far it is.
  scaleToLimits(on: boolean): void {
    this.allLimits = on;
    this.applyZoom();
  }

  private sets: Curve[][] = [];
  private distinguish(): void {
    this.sets = coinciding(this.o.curves, (c) => !this.hidden.has(c.style));
    const names = this.sets.map((s) => (s.length > 4 ? `${s.slice(0, 3).map((c) => c.name).join(", ")} and ${s.length - 3} more` : s.map((c) => c.name).join(", ")));
    this.same.textContent = names.length > 0 ? `coincide (alternating colours): ${names.join("; ")}` : "";
  }
  // Curves that coincide take turns: each shows one dash in n.
  private dash(c: Curve): number[] {
    const set = this.sets.find((s) => s.includes(c));
    if (!set) return c.dashed ? [7, 4] : dashes(c.style);
    const i = set.indexOf(c), n = Math.min(set.length, 8), piece = 9;
    return [0, (i % n) * piece, piece, (n - 1 - (i % n)) * piece];
  }

  private get height(): number { return this.o.height ?? 106; }

  // The curves' range and those of their limits that are near.
  private range(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
    let a = low, b = high;
    const near = 0.5 * Math.max(b - a, 0.2 * Math.max(Math.abs(a), Math.abs(b)));
    for (const c of this.o.curves) {
      if (this.hidden.has(c.style)) continue;
      for (const l of c.limits ?? []) if (this.allLimits || (l >= low - near && l <= high + near)) { a = Math.min(a, l); b = Math.max(b, l); }
    }
    if (!(b > a)) { const pad = Math.max(1e-6, 0.1 * Math.abs(a)); return [a - pad, b + pad]; }
    return [a - 0.06 * (b - a), b + 0.06 * (b - a)];
  }

  private drawLimits(u: uPlot): void {
    const { ctx, bbox } = u, [low, high] = [u.scales.y.min!, u.scales.y.max!];
    ctx.save();
    ctx.lineWidth = 1.3 * devicePixelRatio;
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    const shown = this.o.curves.filter((c) => !this.hidden.has(c.style));
    for (const c of shown)
      for (const l of c.limits ?? []) {
        if (l < low || l > high) continue;
        const y = Math.round(u.valToPos(l, "y", true));
        // A limit of several curves has the colour of none.
        ctx.strokeStyle = shown.some((d) => d !== c && d.limits?.includes(l)) ? variable("--alarm") : colour(c.style);
        ctx.beginPath();
        ctx.moveTo(bbox.left, y);
        ctx.lineTo(bbox.left + bbox.width, y);
        ctx.stroke();
      }
    ctx.restore();
  }

  private make(width: number): void {
    const { x, curves, clock } = this.o;
    const axis = (): string => variable("--muted");
    const common: uPlot.Axis = { stroke: axis, font, grid: { stroke: () => variable("--line"), width: 1 }, ticks: { show: false } };
    this.u = new uPlot({
      width,
      height: this.height,
      padding: [6, 16, this.o.last ? 0 : 4, 0],
      pxAlign: 0,
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: 5 },
        bind: { dblclick: () => () => { clock?.zoom(null); return null; } },
      },
      scales: { x: { time: false, range: (_, low, high) => clock?.range ?? [low, high] }, y: { range: (_, low, high) => this.range(low, high) } },
      axes: [
        { ...common, size: this.o.last ? 22 : 0, gap: 3, space: 60, values: (_, v) => v.map((t, k) => (this.o.last ? (k === v.length - 1 && this.o.across ? `${short(t, 4)} ${this.o.across}` : short(t, 4)) : "")) },
        { ...common, size: 52, gap: 4, space: 21, values: (_, v) => v.map((y) => short(y, 4)) },
      ],
      hooks: {
        drawAxes: [(u) => this.drawLimits(u)],
        setCursor: [() => this.read()],
        setSelect: [(u) => {
          if (u.select.width < 5 || !clock) return;
          const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          clock.zoom([from, to]);
        }],
      },
      series: [
        {},
        ...curves.map((c): uPlot.Series => ({
          label: c.name,
          stroke: () => colour(c.style),
          dash: this.dash(c),
          width: c.faint ? 1 : 1.6,
          points: { show: false },
          show: !this.hidden.has(c.style),
        })),
      ],
    }, [x, ...curves.map((c) => c.y)] as unknown as uPlot.AlignedData, this.holder);
    const over = this.u.over;
    over.append(this.hand);
    over.addEventListener("pointerenter", () => { this.inside = true; });
    over.addEventListener("pointerleave", () => { this.inside = false; this.readout.hidden = true; });
    if (!clock) { this.hand.hidden = true; return; }
    let pressed = NaN;
    over.addEventListener("pointerdown", (e) => { pressed = e.clientX; });
    over.addEventListener("pointerup", (e) => {
      if (!(Math.abs(e.clientX - pressed) < 5)) return;
      clock.play(false);
      clock.seek(this.u!.posToVal(e.clientX - over.getBoundingClientRect().left, "x"));
    });
  }

  // Values at the pointer: the time, then the curves from the highest to the lowest.
  private read(): void {
    const { u } = this, k = u?.cursor.idx;
    if (!u || !this.inside || k === null || k === undefined || u.cursor.left! < 0) { this.readout.hidden = true; return; }
    const seen = this.o.curves.filter((c) => !this.hidden.has(c.style) && Number.isFinite(c.y[k])).sort((a, b) => b.y[k] - a.y[k]);
    const more = seen.length - mostRead;
    this.readout.replaceChildren(
      el("b", {}, this.o.timeUnit === "sample" ? `sample ${k}` : `t = ${short(this.o.x[k], 5)} s`),
      ...seen.slice(0, mostRead).map((c) => el("span", { style: `--curve:${css(c.style)}` }, el("i", {}), c.name, el("em", {}, short(c.y[k], 5)))),
      ...(more > 0 ? [el("span", { class: "more" }, `${more} more`)] : []));
    this.readout.hidden = false;
    const left = u.cursor.left! + u.bbox.left / devicePixelRatio, right = left > 0.55 * u.width;
    this.readout.style.left = right ? "auto" : `${(left + 14).toFixed(0)}px`;
    this.readout.style.right = right ? `${(u.width - left + 14).toFixed(0)}px` : "auto";
  }

  private applyZoom(): void {
    const { u } = this;
    if (!u) return;
    const { x, clock } = this.o, range = clock?.range ?? [x[0], x[x.length - 1]];
    u.setScale("x", { min: range[0], max: range[1] });
    u.redraw(true, true);
    this.point();
  }

  private point(): void {
    if (!this.u || !this.o.clock) return;
    const at = this.u.valToPos(this.o.clock.time, "x");
    this.hand.style.transform = `translateX(${at}px)`;
    this.hand.hidden = at < -1 || at > this.u.over.clientWidth + 1;
  }
}
