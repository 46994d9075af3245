/**
 * The header of pictures that counts their ZIP codes. Pictures are for the public and have only a title, a legend,
 * and sources. Their makers learn from this header which ZIP codes a picture lacks.
 */
import { notDrawn, pluralize } from '../text/words.ts';

export const ZIP_COUNTS_HEADER = 'Map-Zip-Codes';

/** Counts of a picture's ZIP codes */
export interface ZipCounts {
  drawn: number;
  /** In view, without a label or a number */
  unlabeled: number;
  /** Without a boundary, so not drawn */
  missing: number;
  /** Outside all panels. The picture says how many, because readers might take it for the whole territory */
  elsewhere: number;
}

const NAMES = ['drawn', 'unlabeled', 'missing', 'elsewhere'] as const satisfies (keyof ZipCounts)[];

/** A dictionary of integers (RFC 9651): `drawn=170, unlabeled=20, missing=3, elsewhere=0` */
export const formatZipCounts = (counts: ZipCounts): string =>
  NAMES.map((name) => `${name}=${counts[name]}`).join(', ');

export const zipCountsField = (counts: ZipCounts) => ({
  [ZIP_COUNTS_HEADER]: formatZipCounts(counts),
});

/** Parses the header. Returns null for text in another form. Ignores members that later versions may add. */
export function parseZipCounts(text: string): ZipCounts | null {
  const members = new Map(
    text.split(',').map((member): [string, number] => {
      const [name = '', value] = member.trim().split('=');
      return [name, Number(value ?? NaN)];
    }),
  );
  const counts = NAMES.map((name) => [name, members.get(name)] as const);
  if (!counts.every(([, count]) => Number.isInteger(count))) return null;
  return Object.fromEntries(counts) as unknown as ZipCounts;
}

/** `20 ZIP codes in view have no label.`; empty if all have one */
export const describeUnlabeled = (zips: number): string =>
  zips === 0
    ? ''
    : `${pluralize(zips, 'ZIP code')} in view ${zips === 1 ? 'has' : 'have'} no label.`;

/** Describes ZIP codes that a picture lacks or doesn't name. Empty if there are none. */
export const describeZipCounts = ({ unlabeled, missing }: ZipCounts): string =>
  [notDrawn(missing), describeUnlabeled(unlabeled)].filter(Boolean).join(' ');
