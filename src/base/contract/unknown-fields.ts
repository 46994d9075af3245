/**
 * Explains a field that isn't in a schema: where it belongs, which field was probably meant, and which
 * fields exist.
 */
import { z } from 'zod';
import { truncate } from '../text/words.ts';

/** `unknown field "limit"; fields: vertical, metro, zips` @param path of the object that has the field */
export function describeUnknownField(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  key: string,
): string {
  const fields = fieldsOf(path.reduce<z.ZodType | undefined>(memberOf, schema));
  const where = path.length === 0 ? '' : ` in ${path.map(String).join('.')}`;
  const home = homesOf(schema, key).find((place) => place !== path.map(String).join('.'));
  const meant = mostSimilar(key, fields);
  return [
    `unknown field "${truncate(key, 40)}"${where}`,
    ...(home === undefined ? [] : [home === '' ? 'give it at the top level' : `put it in ${home}`]),
    ...(home === undefined && meant !== undefined ? [`did you mean ${meant}?`] : []),
    fields.length === 0 ? 'it takes no fields' : `fields: ${fields.join(', ')}`,
  ].join('; ');
}

const fieldsOf = (schema: z.ZodType | undefined): string[] => {
  const bare = schema && unwrap(schema);
  if (bare instanceof z.ZodObject) return Object.keys(bare.shape);
  return bare instanceof z.ZodRecord && bare.keyType instanceof z.ZodEnum
    ? bare.keyType.options.map(String)
    : [];
};

function memberOf(schema: z.ZodType | undefined, key: PropertyKey): z.ZodType | undefined {
  const bare = schema && unwrap(schema);
  if (bare instanceof z.ZodArray) return bare.element as z.ZodType;
  if (bare instanceof z.ZodRecord) return bare.valueType as z.ZodType;
  return bare instanceof z.ZodObject ? (bare.shape[key as string] as z.ZodType) : undefined;
}

/** The schema inside optional schemas, defaults, and transformations. */
function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    const { in: input, out } = schema;
    return unwrap((input instanceof z.ZodTransform ? out : input) as z.ZodType);
  }
  return 'innerType' in schema.def ? unwrap(schema.def.innerType as z.ZodType) : schema;
}

/** The paths of the objects that have a field with this name; '' is the top level. */
function homesOf(schema: z.ZodType, key: string, path = ''): string[] {
  const bare = unwrap(schema);
  if (!(bare instanceof z.ZodObject)) return [];
  return [
    ...(key in bare.shape ? [path] : []),
    ...Object.entries(bare.shape).flatMap(([name, field]) =>
      homesOf(field as z.ZodType, key, path === '' ? name : `${path}.${name}`),
    ),
  ];
}

/** Below this, two names have little in common. */
const MIN_SIMILARITY = 0.45;

function mostSimilar(name: string, names: readonly string[]): string | undefined {
  const rated = names.map((other) => ({ other, similarity: similarityOf(name, other) }));
  const [best] = rated.sort((a, b) => b.similarity - a.similarity);
  return best && best.similarity >= MIN_SIMILARITY ? best.other : undefined;
}

/** Dice coefficient: the share of letter pairs that two names have in common. */
function similarityOf(a: string, b: string): number {
  const [first, second] = [pairsOf(a), pairsOf(b)];
  const rest = [...second];
  const shared = first.filter((pair) => {
    const at = rest.indexOf(pair);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return (2 * shared.length) / (first.length + second.length || 1);
}

function pairsOf(name: string): string[] {
  const letters = truncate(name, 40).toLowerCase();
  return Array.from({ length: Math.max(letters.length - 1, 0) }, (_, i) => letters.slice(i, i + 2));
}
