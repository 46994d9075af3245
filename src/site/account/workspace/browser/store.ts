/** A value that parts of the page share. Pure. */

export interface Store<T extends object> {
  get(): T;
  /** Replaces some parts. If any part differs, subscribers run once, after the change. */
  update(change: Partial<T> | ((before: T) => Partial<T>)): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: (now: T, before: T) => void): () => void;
}

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<(now: T, before: T) => void>();
  return {
    get: () => value,
    update(change) {
      const parts = typeof change === 'function' ? change(value) : change;
      const keys = Object.keys(parts) as (keyof T)[];
      if (keys.every((key) => Object.is(parts[key], value[key]))) return;
      const before = value;
      value = { ...value, ...parts };
      const now = value;
      for (const listener of [...listeners]) listener(now, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
