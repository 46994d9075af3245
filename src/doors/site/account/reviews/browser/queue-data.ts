/** The data of the maps beside the queue and beside a decision (queue/map-data.ts). */
import { splitWords } from '../../../browser/dom.ts';
import type { Bbox, CardLine } from '../../../browser/map-view.ts';
import type { ZipState } from '../../../browser/territory-map.ts';
import { ZIP_STATUS_LABELS } from '../../../../../base/text/words.ts';

/** Lists of ZIP codes are texts, separated by spaces. */
export interface QueueData {
  live: string;
  requests: {
    id: string;
    brand: string;
    by: string;
    zips: string;
    /** By ZIP code: names of the other brands that hold it */
    shared: Record<string, string[]>;
    isolated: string;
    bbox: Bbox | null;
  }[];
}

/** A request for a ZIP code, with the ZIP code's flags for its brand */
export interface ZipRequest {
  /** The request's id */
  id: string;
  brand: string;
  by: string;
  sharedWith: string[];
  isolated: boolean;
}

export interface QueueMap {
  /** How each ZIP code is drawn */
  states: Map<string, ZipState>;
  /** The requests for each pending ZIP code */
  requests: Map<string, ZipRequest[]>;
}

export function readQueue({ live, requests }: QueueData): QueueMap {
  const states = new Map<string, ZipState>();
  for (const zip of splitWords(live)) states.set(zip, { status: 'live' });
  const zipRequests = new Map<string, ZipRequest[]>();
  for (const { id, brand, by, zips, shared, isolated } of requests) {
    const isolatedZips = new Set(splitWords(isolated));
    for (const zip of splitWords(zips)) {
      const forZip = zipRequests.get(zip) ?? [];
      const isIsolated = isolatedZips.has(zip);
      forZip.push({ id, brand, by, sharedWith: shared[zip] ?? [], isolated: isIsolated });
      zipRequests.set(zip, forZip);
      states.set(zip, {
        status: 'pending',
        shared: forZip.some((each) => each.sharedWith.length > 0),
        isolated: forZip.some((each) => each.isolated),
      });
    }
  }
  return { states, requests: zipRequests };
}

/** The card of a ZIP code */
export function describeZip(
  zip: string,
  place: string | undefined,
  { states, requests }: QueueMap,
): CardLine[] {
  const status = states.get(zip)?.status;
  const lines: CardLine[] = [[zip]];
  if (place) lines.push([place]);
  lines.push(status ? [ZIP_STATUS_LABELS[status], status] : ['Not held']);
  for (const { brand, by, sharedWith, isolated } of requests.get(zip) ?? []) {
    lines.push([`${brand}, requested by ${by}`]);
    if (sharedWith.length > 0) lines.push([`Shared with ${sharedWith.join(', ')}`]);
    if (isolated) lines.push(['Isolated']);
  }
  return lines;
}
