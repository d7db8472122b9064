// Curves over time with a line at the current time. Pressing or dragging on a plot moves the clock.

import uPlot from "uplot";

import type { Clock } from "./clock";
import { el } from "./dom";
import { short } from "./numbers";
import { colour, dashes, onTheme, variable } from "./theme";

export interface Curve {
  name: string;
  y: Float64Array;
  style: number; // which colour
  faint?: boolean;
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
}

const font = "11px system-ui, sans-serif";

export class Plot {
  readonly box: HTMLElement;
  private u?: uPlot;
  private readonly hidden = new Set<number>();
  private readonly hand: HTMLElement;
  private readonly holder: HTMLElement;

  constructor(private o: PlotOptions) {
    this.holder = el("div", { class: "plot-area" });
    this.hand = el("div", { class: "hand" });
    this.box = el("figure", { class: "plot" }, el("figcaption", {}, o.title, el("span", { class: "unit" }, o.unit)), this.holder);
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
  }

  // Labels of the time axis, for the lowest of several plots.
  label(unit: string): void { this.o = { ...this.o, last: true, height: this.height + 18, across: unit }; }

  // Other curves over the same or another time.
  set(x: Float64Array, curves: Curve[]): void {
    this.o = { ...this.o, x, curves };
    if (!this.u) return;
    const width = this.u.width;
    this.u.destroy();
    this.make(width);
    this.point();
  }

  toggle(style: number, on: boolean): void {
    if (on) this.hidden.delete(style); else this.hidden.add(style);
    this.o.curves.forEach((c, k) => { if (c.style === style) this.u?.setSeries(k + 1, { show: on }); });
  }

  private get height(): number { return this.o.height ?? 106; }

  private make(width: number): void {
    const { x, curves } = this.o;
    const axis = (): string => variable("--muted");
    const common: uPlot.Axis = { stroke: axis, font, grid: { stroke: () => variable("--line"), width: 1 }, ticks: { show: false } };
    this.u = new uPlot({
      width,
      height: this.height,
      padding: [6, 16, this.o.last ? 0 : 4, 0],
      pxAlign: 0,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false } },
      axes: [
        { ...common, size: this.o.last ? 22 : 0, gap: 3, space: 60, values: (_, v) => v.map((t, k) => (this.o.last ? (k === v.length - 1 && this.o.across ? `${short(t, 4)} ${this.o.across}` : short(t, 4)) : "")) },
        { ...common, size: 52, gap: 4, space: 21, values: (_, v) => v.map((y) => short(y, 4)) },
      ],
      series: [
        {},
        ...curves.map((c): uPlot.Series => ({
          label: c.name,
          stroke: () => colour(c.style),
          dash: dashes(c.style),
          width: c.faint ? 1 : 1.6,
          points: { show: false },
          show: !this.hidden.has(c.style),
        })),
      ],
    }, [x, ...curves.map((c) => c.y)] as unknown as uPlot.AlignedData, this.holder);
    const over = this.u.over;
    over.append(this.hand);
    const { clock } = this.o;
    if (!clock) { this.hand.hidden = true; return; }
    const seek = (e: PointerEvent): void => {
      clock.play(false);
      clock.seek(this.u!.posToVal(e.clientX - over.getBoundingClientRect().left, "x"));
    };
    over.addEventListener("pointerdown", (e) => { over.setPointerCapture(e.pointerId); seek(e); });
    over.addEventListener("pointermove", (e) => { if (over.hasPointerCapture(e.pointerId)) seek(e); });
  }

  private point(): void {
    if (!this.u || !this.o.clock) return;
    this.hand.style.transform = `translateX(${this.u.valToPos(this.o.clock.time, "x")}px)`;
  }
}
