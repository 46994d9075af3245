/** Connects components to the state. */
import { useEffect, useState } from 'preact/hooks';
import { store, type WorkspaceState } from './state.ts';

/** Returns a part of the state, and renders the component again when that part changes. */
export function useStore<T>(select: (state: WorkspaceState) => T): T {
  const [, render] = useState(0);
  const selected = select(store.get());
  useEffect(() => {
    let shown = selected;
    const check = () => {
      const now = select(store.get());
      if (Object.is(now, shown)) return;
      shown = now;
      render((count) => count + 1);
    };
    // The state may have changed since rendering.
    check();
    return store.subscribe(check);
  });
  return selected;
}
