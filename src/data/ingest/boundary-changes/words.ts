/** Changes of boundaries in words. Pure. */
import { group } from 'd3-array';
import { formatCount, joinFirst, joinWithAnd } from '../../../base/text/words.ts';
import { LEAST_SHARE, type BoundaryComparison, type BoundaryPart } from './compare.ts';

/** `12%`, `less than 1%` */
export const formatShare = (share: number): string =>
  share < LEAST_SHARE ? 'less than 1%' : `${Math.round(100 * share)}%`;

/** What a ZIP code lost */
export interface Loss {
  zip: string;
  /** Of its area before, 0..1 */
  share: number;
  /** Whether the new boundaries don't have it */
  ended: boolean;
  /** Where it went, the largest part first; null: to no ZIP code */
  to: BoundaryPart[];
}

/** Returns the losses of ZIP codes, in order. @param parts as `BoundaryComparison.parts` */
export function lossesOf(parts: readonly BoundaryPart[]): Loss[] {
  const byZip = group(parts, ({ zip }) => zip);
  return [...byZip].map(([zip, ofZip]) => {
    const stayed = ofZip.find(({ nowIn }) => nowIn === zip);
    return {
      zip,
      share: 1 - (stayed?.share ?? 0),
      ended: stayed === undefined,
      to: ofZip.filter(({ nowIn }) => nowIn !== zip),
    };
  });
}

/** `75201 lost 12% of its area to 75270`, `75299 ended; its area went to 75270 (60%) and 75201 (40%)` */
export function lossText({ zip, share, ended, to }: Loss): string {
  const named = to.map(({ nowIn, share: part }) => ({ name: nowIn ?? 'no ZIP code', part }));
  const places =
    named.length === 1
      ? named[0]!.name
      : joinWithAnd(named.map(({ name, part }) => `${name} (${formatShare(part)})`));
  if (ended) return named.length > 0 ? `${zip} ended; its area went to ${places}` : `${zip} ended`;
  return named.length > 0
    ? `${zip} lost ${formatShare(share)} of its area to ${places}`
    : `${zip} lost ${formatShare(share)} of its area`;
}

const MOST_NAMED = 10;

/** Returns notes for the report of an import. */
export function boundaryNotes({ vintageBefore, added, parts }: BoundaryComparison): string[] {
  const losses = lossesOf(parts);
  const [ended, shrunk] = [losses.filter((one) => one.ended), losses.filter((one) => !one.ended)];
  const since = `compared with ${vintageBefore}`;
  if (losses.length + added.length === 0) return [`No ZIP code lost area, ${since}.`];
  const largest = shrunk.toSorted((a, b) => b.share - a.share).slice(0, MOST_NAMED);
  const counts = [
    ...(shrunk.length > 0 ? [`${formatCount(shrunk.length)} lost area`] : []),
    ...(ended.length > 0 ? [`${formatCount(ended.length)} ended`] : []),
    ...(added.length > 0
      ? [`${formatCount(added.length)} ${added.length === 1 ? 'is' : 'are'} new`]
      : []),
  ];
  return [
    `ZIP codes ${since}: ${joinWithAnd(counts)}.`,
    ...largest.map((loss) => `${lossText(loss)}.`),
    ...(ended.length > 0
      ? [
          `Ended: ${joinFirst(
            ended.map(({ zip }) => zip),
            MOST_NAMED,
          )}.`,
        ]
      : []),
    ...(added.length > 0 ? [`New: ${joinFirst(added, MOST_NAMED)}.`] : []),
  ];
}
