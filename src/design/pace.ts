/** How far a search is: its share of the work, or of the time until its deadline if that ends earlier. */
import type { DesignControls, DesignResult } from './input.ts';
import type { Work } from './tabu.ts';

/** Until this share of the time, only work counts: a search that is in time repeats. */
const ON_TIME = 0.1;

export class Pace {
  readonly work: Work = { looks: 0 };
  private readonly looks: number;
  private readonly controls: DesignControls;
  private readonly startedAt = Date.now();
  private stop: DesignResult['ended'] = 'finished';
  /** The clock was ahead of the work once, so it moved the limits of phases. */
  private isHurried = false;

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
    if (passed < ON_TIME || passed <= worked) return worked;
    this.isHurried = true;
    return passed;
  }

  /** Only a finished search repeats. */
  get ended(): DesignResult['ended'] {
    return this.stop === 'finished' && this.isHurried ? 'deadline' : this.stop;
  }

  /** Whether to go on until a share of the whole is done. Asked every few milliseconds. */
  goesOn(until: number): boolean {
    const { deadline, isCanceled } = this.controls;
    if (isCanceled?.()) this.stop = 'canceled';
    else if (deadline !== undefined && Date.now() >= deadline) this.stop = 'deadline';
    return this.stop === 'finished' && this.done() < until;
  }
}
