/** Finds the columns of a file of places. Pure. */
import { normalizeName } from '../../base/lists/zip-table.ts';
import { joinFirst, joinWithAnd, truncateInput } from '../../base/text/words.ts';
import { badRequest } from '../../errors.ts';
import type { CellsResult } from '../own-data/import/read-cells.ts';

/** What a column can hold besides what places a row */
export const FIELD_COLUMNS = ['name', 'kind', 'brand', 'phone', 'email', 'url', 'hours'] as const;
type FieldColumn = (typeof FIELD_COLUMNS)[number];

/** Headings in the form of `normalizeName`, likeliest first */
const HEADINGS: Readonly<Record<FieldColumn, readonly RegExp[]>> = {
  name: [
    /^name$/,
    /^(?:place|store|location|site|branch|office|depot|business|company|dealer|competitor)name$/,
    /^(?:place|store|location|site|branch|office|depot|business|company|dealer|competitor|title|label)$/,
  ],
  kind: [/^(?:place)?kind$/, /^(?:place|location|store|site)?type$/, /^category$/],
  brand: [/^brand(?:name|slug)?$/, /^franchise(?:e|ename)?$/],
  phone: [/^(?:tele)?phone(?:number|no)?$/, /^tel$/, /phone/],
  email: [/^email(?:address)?$/, /e?mail$/],
  url: [/^(?:url|website|webpage|weburl|webaddress|web|homepage|link)$/, /website|url$/],
  hours: [/^(?:opening|business|store|office)?hours$/, /hours|opening/],
};

/** Columns by heading or number, as people choose them */
export type ChosenColumns = { readonly [Field in FieldColumn]?: string | undefined };

export interface PlaceColumns {
  /** Indexes */
  fields: { readonly [Field in FieldColumn]?: number };
  /** Sentences on them */
  notes: readonly string[];
}

/** @throws ServiceError 400 without a column of names, or without one that is chosen */
export function findPlaceColumns(
  { columns, headings, places }: CellsResult,
  chosen: ChosenColumns,
): PlaceColumns {
  const names = columns.map((_, i) => normalizeName(headings?.[i] ?? ''));
  const taken = new Set<number>([
    ...[places.zip, places.coordinates?.lng, places.coordinates?.lat].filter(
      (one) => typeof one === 'number',
    ),
    ...(places.address ?? []),
  ]);
  const fields: { [Field in FieldColumn]?: number } = {};
  for (const field of FIELD_COLUMNS) {
    const wanted = chosen[field];
    const at =
      wanted === undefined
        ? HEADINGS[field]
            .map((pattern) => names.findIndex((name, i) => !taken.has(i) && pattern.test(name)))
            .find((i) => i >= 0)
        : columnOf(columns, wanted);
    if (at === undefined) continue;
    fields[field] = at;
    taken.add(at);
  }
  fields.name ??= columns.findIndex(({ content }, i) => content === 'text' && !taken.has(i));
  if (fields.name < 0) {
    throw badRequest(
      `The file has no column of names. Add one with the heading “Name”. ${namedColumns(columns)}`,
    );
  }
  const used = FIELD_COLUMNS.filter((field) => fields[field] !== undefined);
  const quoted = used.map((field) => `${field} in “${columns[fields[field]!]!.name}”`);
  const location = [
    ...(places.coordinates ? ['coordinates'] : []),
    ...(places.address ? ['addresses'] : []),
    ...(places.zip === null ? [] : ['ZIP codes']),
  ];
  if (location.length === 0) {
    throw badRequest(
      `The file has no column of coordinates, addresses, or ZIP codes. Add one. ${namedColumns(columns)}`,
    );
  }
  return {
    fields,
    notes: [
      `Found ${joinWithAnd(quoted)}.`,
      `Places are located by ${location.length === 1 ? location[0]! : `${location[0]}, else by ${location.slice(1).join(', else by ')}`}.`,
    ],
  };
}

const namedColumns = (columns: CellsResult['columns']) =>
  `The file has ${joinFirst(columns.map(({ name }) => `"${name}"`))}.`;

/** @throws ServiceError 400 without the column */
function columnOf(columns: CellsResult['columns'], wanted: string): number {
  const name = normalizeName(wanted);
  const found =
    columns.find((one) => normalizeName(one.name) === name) ??
    columns.find((one) => String(one.number) === wanted.trim());
  if (found) return found.number - 1;
  throw badRequest(`The file has no column "${truncateInput(wanted)}". ${namedColumns(columns)}`);
}
