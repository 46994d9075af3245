/** The worst bodies that the limits allow: the largest, the deepest, and those with the most parts. */
import { z } from 'zod';
import { CONNECTOR_FORM, CONNECTOR_JSON, FORM, JSON_BODY } from '../../src/base/contract/bounds.ts';
import { type JsonBounds } from '../../src/base/spatial/json-bounds.ts';

export interface WorstBody {
  what: string;
  type: string;
  body: string | Uint8Array;
}

/** Values that fill a JSON body within the bounds. @param bytes left for the value */
function worstValues({ depth, values }: JsonBounds, bytes: number): Record<string, string> {
  const entries = values - 50;
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const long = 'x'.repeat(Math.floor(bytes / entries) - 4);
  return {
    'one long text': JSON.stringify('x'.repeat(bytes - 2)),
    'a text of escapes': `"${String.raw`\u0041`.repeat(Math.floor(bytes / 6) - 1)}"`,
    'a text of digits and spaces': JSON.stringify('7520 '.repeat(Math.floor(bytes / 5) - 1)),
    'many objects': `[${Array.from({ length: entries / 2 }, () => '{}').join()}]`,
    'many texts': `[${Array.from({ length: entries }, (_, i) => `"${i}"`).join()}]`,
    'many long texts': `[${Array.from({ length: entries }, () => `"${long}"`).join()}]`,
    'many fields': `{${Array.from({ length: entries }, (_, i) => `"f${i}":0`).join()}}`,
    'deep lists': `[${Array.from({ length: Math.floor(entries / depth) }, () => nested(depth - 6)).join()}]`,
  };
}

/** The fields of an object schema */
const fieldsOf = (schema: z.ZodType): string[] => {
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties ?? {});
};

/** The most values in each field, and every kind in a field that the schema doesn't have. */
export function worstJson(
  schema: z.ZodType,
  base: Record<string, unknown> = {},
  wrap = (body: string) => body,
): WorstBody[] {
  const others = Object.entries(base).map(([name, value]) => [name, JSON.stringify(value)]);
  const all = Object.entries(worstValues(JSON_BODY, JSON_BODY.bytes - 5_000));
  const most = all.filter(([kind]) => kind === 'many texts' || kind === 'many objects');
  return [...fieldsOf(schema), 'unknown'].flatMap((field) =>
    (field === 'unknown' ? all : most).map(([kind, value]) => {
      const fields = [...others.filter(([name]) => name !== field), [field, value]];
      const object = `{${fields.map(([name, text]) => `"${name}":${text}`).join()}}`;
      return { what: `${kind} in ${field}`, type: 'application/json', body: wrap(object) };
    }),
  );
}

export const worstConnectorJson = (): WorstBody[] =>
  ['redirect_uris', 'client_name', 'grant_types', 'unknown'].flatMap((field) =>
    Object.entries(worstValues(CONNECTOR_JSON, CONNECTOR_JSON.bytes - 200)).map(
      ([kind, value]) => ({
        what: `${kind} in ${field}`,
        type: 'application/json',
        body: `{"redirect_uris":["https://example.com/x"],"${field}":${value}}`,
      }),
    ),
  );

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The largest text of a field, and the most fields, for each of the names */
export function worstForms(names: readonly string[], { bytes, fields } = FORM): WorstBody[] {
  const size = bytes - 5_000;
  const numbers = Array.from({ length: size / 6 }, (_, i) => String(i % 100_000)).join('+');
  const others = names.map((name) => `${name}=1`).join('&');
  return [
    ...names.flatMap((name) => [
      { what: `numbers in ${name}`, body: `${others}&${name}=${numbers.slice(0, size)}` },
      { what: `escapes in ${name}`, body: `${name}=${'%26'.repeat(size / 3)}` },
    ]),
    {
      what: 'the most fields',
      body: Array.from({ length: fields }, (_, i) => {
        const name = names[i % names.length] ?? 'x';
        return `${name}=${'%41'.repeat(Math.floor(size / fields / 3) - 10)}`;
      }).join('&'),
    },
  ].map((one) => ({ ...one, type: FORM_TYPE }));
}

export const worstConnectorForms = (): WorstBody[] =>
  worstForms(['grant_type', 'code', 'refresh_token', 'client_id', 'token'], CONNECTOR_FORM);

/** Files of the largest size that take the longest to read */
export function worstFiles(bytes: number): Record<string, string | Buffer> {
  const fill = (unit: string, head = '', tail = '') =>
    head + unit.repeat(Math.floor((bytes - head.length - tail.length) / unit.length)) + tail;
  const feature = '{"type":"Feature","properties":{},"geometry":null},';
  const features = (unit: string) =>
    fill(unit, '{"type":"FeatureCollection","features":[', `${unit.slice(0, -1)}]}`);
  const corner = (i: number) =>
    `[${(-97 + Math.cos(i / 8_000)).toFixed(6)},${(33 + Math.sin(i / 8_000)).toFixed(6)}],`;
  const corners = Array.from({ length: 50_000 }, (_, i) => corner(i)).join('');
  const lines = Array.from({ length: 50_000 }, (_, i) => `"${i}, ${'ab '.repeat(60)}"\n`).join('');
  return {
    'short lines': fill('1\n'),
    'lines of digits': fill('75201\n'),
    'empty cells': fill(',,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n'),
    quotes: fill('"",""\n'),
    'the most lines with quotes': lines.slice(0, bytes),
    'one line': fill('x'),
    'words in one line': fill('1 '),
    bytes: Buffer.alloc(bytes, 0xff),
    'empty objects': features('{},'),
    'empty features': features(feature),
    'many fields': fill('"a":0,', '{"type":"Feature",', '"b":0}'),
    'deep lists': fill('[', '{"type":'),
    corners: fill('[-97.1,32.9],', '{"type":"Polygon","coordinates":[[', '[-97.1,32.9]]]}'),
    'a large outline': `{"type":"Polygon","coordinates":[[${corners}${corner(0).slice(0, -1)}]]}`,
  };
}

/** A form with files, written out. */
export function multipart(parts: Record<string, string | Buffer>, boundary = 'b'): WorstBody {
  const pieces = Object.entries(parts).flatMap(([name, content]) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return {
    what: 'an upload',
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
