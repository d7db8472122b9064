// The current time of the page: of the robot, the plots' cursors and the numbers.

export class Clock {
  playing = false;
  speed = 1;
  private at: number;
  private readonly listeners: (() => void)[] = [];
  private last = 0;

  constructor(readonly t: Float64Array) {
    this.at = t[0];
  }
  get start(): number { return this.t[0]; }
  get end(): number { return this.t[this.t.length - 1]; }
  get time(): number { return this.at; }

  // The sample nearest to now.
  get sample(): number {
    const k = this.before(this.at);
    return k + 1 < this.t.length && this.t[k + 1] - this.at < this.at - this.t[k] ? k + 1 : k;
  }
  // The last sample that is not after t.
  before(t: number): number {
    let low = 0, high = this.t.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t[middle] <= t) low = middle; else high = middle - 1;
    }
    return low;
  }

  listen(f: () => void): void { this.listeners.push(f); }
  seek(t: number): void {
    this.at = Math.min(Math.max(t, this.start), this.end);
    for (const f of this.listeners) f();
  }
  go(sample: number): void { this.seek(this.t[Math.min(Math.max(sample, 0), this.t.length - 1)]); }

  // The part of the time that plots show; null: all of it.
  range: [number, number] | null = null;
  private readonly zooms: (() => void)[] = [];
  onZoom(f: () => void): void { this.zooms.push(f); }
  zoom(range: [number, number] | null): void {
    this.range = range;
    for (const f of this.zooms) f();
  }

  toggle(): void { this.play(!this.playing); }
  play(on: boolean): void {
    this.playing = on && this.end > this.start;
    if (this.playing) {
      if (this.at >= this.end) this.at = this.start;
      this.last = performance.now();
      requestAnimationFrame((now) => this.tick(now));
    }
    for (const f of this.listeners) f();
  }
  private tick(now: number): void {
    if (!this.playing) return;
    const dt = Math.min(0.1, Math.max(0, (now - this.last) / 1e3)) * this.speed;
    this.last = now;
    this.seek(this.at + dt >= this.end ? this.start + (this.at + dt - this.end) % (this.end - this.start) : this.at + dt);
    requestAnimationFrame((later) => this.tick(later));
  }
}
