/** Random inputs generated from a JSON Schema, for fuzz tests. */
import fc from 'fast-check';
import { EXAMPLE_TOKEN } from '../../src/territories/share/token.ts';

export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
}

/** Values that exist, so that inputs get past the first check. */
const KNOWN = ['lone-star-roofing', 'Desert Air HVAC', EXAMPLE_TOKEN, 'dallas-tx', 'Dallas, TX'];
const ZIPS = ['75201', '75204', '76078', '85018', '00001', '99999'];

function allowed(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(allowed));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum, max: schema.maximum });
    case 'number':
      return fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true });
    case 'array':
      return fc.array(allowed(schema.items ?? {}), {
        minLength: 1,
        maxLength: Math.min(schema.maxItems ?? 8, 8),
      });
    case 'object':
      return fields(schema);
    default:
      if (schema.pattern?.includes('{5}')) return fc.constantFrom(...ZIPS);
      if (schema.format === 'uuid') return fc.uuid();
      return fc.oneof(fc.constantFrom(...KNOWN), fc.string({ maxLength: 20 }));
  }
}

export const NASTY: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\0',
    '\uD800',
    '%',
    "' or 1=1 --",
    '__proto__',
    '💥',
    '0',
    'null',
    '-1',
    null,
    0,
    -1,
    1e308,
    1.5,
    true,
    [],
    {},
    [[]],
    { length: 3 },
    ['75201', null],
    '75201',
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const sometimesNasty = (schema: JsonSchema) =>
  fc.oneof({ weight: 9, arbitrary: allowed(schema) }, { weight: 1, arbitrary: NASTY });

/** An object with most required fields and some optional ones. */
export function fields({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const all = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, sometimesNasty(schema)]),
  );
  return fc.oneof(
    { weight: 9, arbitrary: fc.record(all, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(all, { requiredKeys: [] }) },
  );
}

/** The example with up to two fields changed. */
export function nearExample(
  example: object,
  { properties = {} }: JsonSchema,
): fc.Arbitrary<unknown> {
  const others = Object.entries(properties).map(([name, schema]) =>
    sometimesNasty(schema).map((value) => ({ [name]: value })),
  );
  if (others.length === 0) return fc.constant(example);
  return fc
    .array(fc.oneof(...others), { maxLength: 2 })
    .map((changes) => Object.assign({}, example, ...changes) as unknown);
}
