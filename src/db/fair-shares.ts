/**
 * Limits how many connections each organization uses at the same time, so that an organization whose
 * statements wait for a lock leaves connections for the others.
 */
import { unavailable } from '../errors.ts';

/**
 * Waits for a free place of the organization.
 * @returns a function that returns the place
 * @throws ServiceError 503 if no place becomes free within `waitMs`
 */
export type FairShares = (organizationId: string, waitMs: number) => Promise<() => void>;

interface Line {
  /** Places in use */
  held: number;
  /** Callers that wait for a place, in order */
  waiting: Set<() => void>;
}

/** @param places number of places for each organization */
export function fairShares(places: number): FairShares {
  const lines = new Map<string, Line>();
  return async (organizationId, waitMs) => {
    const line = lines.get(organizationId) ?? { held: 0, waiting: new Set() };
    lines.set(organizationId, line);
    if (line.held < places) line.held++;
    else await turnIn(line, waitMs);
    return () => {
      const [next] = line.waiting;
      if (next) next();
      else if (--line.held === 0) lines.delete(organizationId);
    };
  };
}

function turnIn({ waiting }: Line, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      clearTimeout(timer);
      waiting.delete(enter);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(enter);
      reject(
        unavailable('Too many calls of your organization are running. Try again in a moment.'),
      );
    }, waitMs);
    waiting.add(enter);
  });
}
