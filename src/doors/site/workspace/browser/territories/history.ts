/** Undo and redo without limit. Pure. */

export interface History<T> {
  /** Latest last */
  readonly past: readonly Step<T>[];
  /** Next one last */
  readonly future: readonly Step<T>[];
}

interface Step<T> {
  /** The value before the step; for future steps, the value after it */
  readonly value: T;
  /** Description: `Move 12 ZIP codes to North` */
  readonly label: string;
}

/** A value and the steps that lead to it */
export interface Timeline<T> {
  readonly present: T;
  readonly history: History<T>;
}

export const NO_HISTORY: History<never> = { past: [], future: [] };

/** Adds a step and drops undone ones. A step to the current value is ignored. */
export function takeStep<T>(timeline: Timeline<T>, value: T, label: string): Timeline<T> {
  const { present, history } = timeline;
  if (value === present) return timeline;
  return {
    present: value,
    history: { past: [...history.past, { value: present, label }], future: [] },
  };
}

/**
 * Returns the steps since a value that was saved. Undo leads back to that value and no further, whatever
 * was done while it was being saved.
 */
export function historySince<T>({ present, history }: Timeline<T>, saved: T): History<T> {
  const { past, future } = history;
  const at = past.findIndex(({ value }) => value === saved);
  if (at >= 0) return { past: past.slice(at), future };
  // The saved value is the current one, or redo leads to it.
  if (present === saved || future.some(({ value }) => value === saved)) return { past: [], future };
  return { past: [{ value: saved, label: 'Edits made while saving' }], future: [] };
}

/** Returns the same timeline if there is nothing to undo. */
export function undo<T>(timeline: Timeline<T>): Timeline<T> {
  const { present, history } = timeline;
  const last = history.past.at(-1);
  if (!last) return timeline;
  return {
    present: last.value,
    history: {
      past: history.past.slice(0, -1),
      future: [...history.future, { value: present, label: last.label }],
    },
  };
}

/** Returns the same timeline if there is nothing to redo. */
export function redo<T>(timeline: Timeline<T>): Timeline<T> {
  const { present, history } = timeline;
  const next = history.future.at(-1);
  if (!next) return timeline;
  return {
    present: next.value,
    history: {
      past: [...history.past, { value: present, label: next.label }],
      future: history.future.slice(0, -1),
    },
  };
}
