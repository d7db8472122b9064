// The motion: samples of positions, velocities, accelerations and torques, and the robot between them.

import { Clock } from "./clock";
import { type Report, columns, doubles } from "./report";

export class Motion {
  readonly t: Float64Array;
  readonly timed: boolean;
  readonly q: Float64Array[];
  readonly v: Float64Array[];
  readonly a: Float64Array[];
  readonly tau: Float64Array[];
  readonly clock: Clock;

  constructor(private readonly report: Report) {
    const { motion, robot } = report;
    this.timed = motion.t !== null;
    this.t = motion.t ? doubles(motion.t) : Float64Array.from({ length: motion.rows }, (_, k) => k + 1);
    this.q = columns(motion.q, robot.nq);
    this.v = columns(motion.v, robot.nv);
    this.a = columns(motion.a, robot.nv);
    this.tau = columns(motion.tau, robot.nv);
    this.clock = new Clock(this.t);
    if (!this.timed) this.clock.speed = Math.max(1, motion.rows / 10); // samples in a second
  }

  positions(sample: number): number[] { return this.q.map((x) => x[sample]); }

  // Interpolates between two samples, so that coarse motions are smooth too.
  between(): number[] {
    const { clock, t } = this;
    const k = clock.before(clock.time), next = Math.min(k + 1, t.length - 1);
    const share = t[next] > t[k] ? (clock.time - t[k]) / (t[next] - t[k]) : 0;
    const q = this.q.map((x) => x[k] + share * (x[next] - x[k]));
    for (const j of this.report.robot.joints) {
      if (j.position < 0 || (j.type !== "floating" && j.type !== "spherical")) continue;
      const from = j.position + (j.type === "floating" ? 3 : 0);
      let dot = 0;
      for (let i = from; i < from + 4; ++i) dot += this.q[i][k] * this.q[i][next];
      for (let i = from; i < from + 4; ++i) q[i] = (1 - share) * this.q[i][k] + Math.sign(dot || 1) * share * this.q[i][next];
    }
    return q;
  }
}
