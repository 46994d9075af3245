/** Components follow the state. */
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
    // It may have changed between rendering and now.
    check();
    return store.subscribe(check);
  });
  return selected;
}
