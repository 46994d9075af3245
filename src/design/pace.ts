/** How far a search is: its share of the work, or of the time until its deadline if that ends earlier. */
import type { DesignControls, DesignResult } from './input.ts';
import type { Work } from './tabu.ts';

/** Until this share of the time, only work counts: a search that is in time repeats. */
const ON_TIME = 0.1;

export class Pace {
  readonly work: Work = { looks: 0 };
  ended: DesignResult['ended'] = 'finished';
  private readonly looks: number;
  private readonly controls: DesignControls;
  private readonly startedAt = Date.now();

  /** @param looks all work to do */
  constructor(looks: number, controls: DesignControls) {
    this.looks = looks;
    this.controls = controls;
  }

  /** 0..1, and more at the end */
  done(): number {
    const { deadline } = this.controls;
    const worked = this.work.looks / this.looks;
    if (deadline === undefined) return worked;
    const passed = (Date.now() - this.startedAt) / Math.max(1, deadline - this.startedAt);
    return passed < ON_TIME ? worked : Math.max(worked, passed);
  }

  /** Whether to go on until a share of the whole is done. Asked every few milliseconds. */
  goesOn(until: number): boolean {
    const { deadline, isCanceled } = this.controls;
    if (isCanceled?.()) this.ended = 'canceled';
    else if (deadline !== undefined && Date.now() >= deadline) this.ended = 'deadline';
    return this.ended === 'finished' && this.done() < until;
  }
}
