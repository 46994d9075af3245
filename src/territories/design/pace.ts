/** The progress of a search: the share of its work, or of the time until its deadline if that is larger. */
import type { DesignControls, DesignResult } from './input.ts';
import type { Work } from './tabu.ts';

/** Until this share of the time, only work counts, so that a search that keeps its time is repeatable. */
const ON_TIME = 0.1;

export class Pace {
  readonly work: Work = { looks: 0 };
  private readonly looks: number;
  private readonly controls: DesignControls;
  private readonly startedAt = Date.now();
  private stop: DesignResult['ended'] = 'finished';
  /** Whether the clock has ever been ahead of the work, which shortens phases */
  private isHurried = false;

  /** @param looks total amount of work */
  constructor(looks: number, controls: DesignControls) {
    this.looks = looks;
    this.controls = controls;
  }

  /** Returns 0..1, or slightly more at the end. */
  done(): number {
    const { deadline } = this.controls;
    const worked = this.work.looks / this.looks;
    if (deadline === undefined) return worked;
    const passed = (Date.now() - this.startedAt) / Math.max(1, deadline - this.startedAt);
    if (passed < ON_TIME || passed <= worked) return worked;
    this.isHurried = true;
    return passed;
  }

  /** Only a search that ended as `finished` is repeatable. */
  get ended(): DesignResult['ended'] {
    return this.stop === 'finished' && this.isHurried ? 'deadline' : this.stop;
  }

  /** Returns whether less than `until` is done and nothing has stopped the search. Called every few milliseconds. */
  goesOn(until: number): boolean {
    const { deadline, isCanceled } = this.controls;
    if (isCanceled?.()) this.stop = 'canceled';
    else if (deadline !== undefined && Date.now() >= deadline) this.stop = 'deadline';
    return this.stop === 'finished' && this.done() < until;
  }
}
