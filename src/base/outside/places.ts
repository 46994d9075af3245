/**
 * Places for work that waits for other servers. No organization holds more than its share of them, so that its slow
 * servers don't stop the work for others. Work that doesn't end loses its place, and is counted.
 */
import { tally } from '../observe/tally.ts';
import { isDeadlineOver, within } from './deadline.ts';

interface PlaceLimits {
  /** Places of a process */
  count: number;
  /** Those that one organization may hold */
  share: number;
  /** Longer than the deadlines of all requests and statements of the work together, in milliseconds */
  ms: number;
}

interface Places {
  /** The number of free places */
  free(): number;
  /** The number of places that each organization holds */
  held(): ReadonlyMap<string, number>;
  /** The organizations that hold their share */
  full(): string[];
  /**
   * Does the work on a place.
   * @param work its signal aborts when it loses the place
   * @throws DOMException `TimeoutError` when it does
   */
  run(organizationId: string, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

/** @param kind counts the lost places */
export function placesFor(
  kind: keyof typeof tally.lostPlaces,
  { count, share, ms }: PlaceLimits,
): Places {
  const held = new Map<string, number>();
  const change = (id: string, by: number) => {
    const now = (held.get(id) ?? 0) + by;
    if (now > 0) held.set(id, now);
    else held.delete(id);
  };
  return {
    free: () => count - [...held.values()].reduce((sum, number) => sum + number, 0),
    held: () => held,
    full: () => [...held].flatMap(([id, number]) => (number < share ? [] : [id])),
    async run(organizationId, work) {
      change(organizationId, 1);
      try {
        await within(ms, work);
      } catch (error) {
        // Requests have shorter deadlines, whose errors are handled within the work.
        if (isDeadlineOver(error)) tally.lostPlaces[kind]++;
        throw error;
      } finally {
        change(organizationId, -1);
      }
    },
  };
}
