/** Loads JSON of the public API for components. */
import { useEffect, useState } from 'preact/hooks';
import { fetchJson, StatusError } from '../../browser/map-view.ts';

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'loaded'; content: T }
  | { state: 'failed'; problem: string };

/** Loads a URL. The old content is dropped as soon as the URL changes. */
export function useJson<T>(url: string): Loaded<T> {
  const [answer, setAnswer] = useState<{ url: string; loaded: Loaded<T> } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const show = (loaded: Loaded<T>) => {
      if (isCurrent) setAnswer({ url, loaded });
    };
    fetchJson<T>(url).then(
      (content) => show({ state: 'loaded', content }),
      (error: unknown) => show({ state: 'failed', problem: explain(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [url]);
  return answer?.url === url ? answer.loaded : { state: 'loading' };
}

function explain(error: unknown): string {
  if (!(error instanceof StatusError)) {
    return 'The figures couldn’t be loaded. Check your connection and try again.';
  }
  if (error.status === 429)
    return 'Too many places opened in a short time. Wait a minute, then try again.';
  if (error.status === 404) return 'There are no public figures for this place.';
  return 'The figures couldn’t be loaded. Try again later.';
}
