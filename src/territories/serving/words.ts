/** Answers of lookups in words, and as cells of a table. Pure. */
import type { CsvValue } from '../../base/text/csv.ts';
import { asSentence, formatMiles, joinWithAnd } from '../../base/text/words.ts';
import { formatDay } from '../brands/groups/refusal-words.ts';
import type { FoundBy, Served } from './answer.ts';

export const FOUND_BY_WORDS: Readonly<Record<FoundBy, string>> = {
  zip: 'ZIP code',
  point: 'coordinates',
  address: 'address',
};

/** Says what is special about an answer, or why no brand serves the place, as sentences; empty if nothing is. */
export const explainServed = (served: Served): string =>
  [served.note, whyNobody(served), nearestSentence(served)]
    .filter((sentence) => sentence !== '')
    .join(' ');

function whyNobody({ status, zip, around, otherHolders, group, reserve }: Served): string {
  const area = around?.zip ?? zip;
  switch (status) {
    case 'blocked':
      return `${area} is held by ${joinWithAnd(otherHolders)}, and the group "${group}" blocks overlaps.`;
    case 'held':
      return `${area} is held by ${joinWithAnd(otherHolders)}.`;
    case 'reserved':
      return asSentence(
        `${area} is reserved by the group "${group}" until ${formatDay(reserve!.until)}`,
      );
    case 'free':
      return `No brand serves ${area}.`;
    default:
      return '';
  }
}

const nearestSentence = ({ nearest }: Served) =>
  nearest === null
    ? ''
    : `The nearest brand is ${nearest.brand.publicName}, ${formatMiles(nearest.miles)} away in ${nearest.zip}.`;

/** Headings of the cells that an answer adds to a row */
export const SERVED_COLUMNS = [
  'Brand',
  'Brand slug',
  'Brand phone',
  'Brand email',
  'Brand web page',
  'Nearest place',
  'Place phone',
  'Miles to place',
  'Served ZIP code',
  'Found by',
  'Reason',
] as const;

const SEPARATOR = '; ';

/** Returns the cells of an answer. Several brands that serve the same place share them. */
export function servedCells(served: Served): CsvValue[] {
  const { brands, around, zip, foundBy } = served;
  const [only] = brands;
  const each = (valueOf: (brand: Served['brands'][number]) => string | null) =>
    brands.length === 1
      ? valueOf(only!)
      : brands.map((brand) => valueOf(brand) ?? '–').join(SEPARATOR);
  return [
    each(({ publicName }) => publicName),
    each(({ slug }) => slug),
    each(({ phone }) => phone),
    each(({ email }) => email),
    each(({ url }) => url),
    each(({ nearestPlace }) => nearestPlace?.name ?? null),
    each(({ nearestPlace }) => nearestPlace?.phone ?? null),
    each(({ nearestPlace }) => (nearestPlace ? nearestPlace.miles.toFixed(1) : null)),
    around?.zip ?? zip,
    FOUND_BY_WORDS[foundBy],
    explainServed(served),
  ];
}
