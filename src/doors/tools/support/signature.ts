/**
 * Describes nested output briefly, as in `{zip, city?, heldBy[]}`. A model needs the names and meanings of fields, which
 * take a quarter of the tokens of a JSON Schema.
 */
import type { JsonSchema } from './json-schema.ts';

/** Explains the notation to a model. */
export const SIGNATURE_NOTATION = '? may be null or missing, [] is a list';

/** Returns a signature, such as `{zip, city?}[]` for a list of objects, or null for plain values. */
export function signatureOf(schema: JsonSchema): string | null {
  const { items, properties, required = [], additionalProperties } = schema;
  if (items) {
    const inner = signatureOf(items);
    return inner === null ? null : `${inner}[]`;
  }
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) =>
      describeField(name, field, required.includes(name)),
    );
    return `{${fields.join(', ')}}`;
  }
  if (typeof additionalProperties === 'object') {
    return `{name: ${signatureOf(additionalProperties) ?? 'value'}}`;
  }
  return null;
}

/** Examples: `city?`, `status: live|pending`, `heldBy[] (other brands)` */
function describeField(name: string, schema: JsonSchema, isRequired: boolean): string {
  const { nullable, value } = withoutNull(schema);
  const inner = signatureOf(value);
  const type =
    inner !== null
      ? `: ${inner}`
      : value.enum
        ? `: ${value.enum.join('|')}`
        : value.items
          ? '[]'
          : '';
  const { description } = schema;
  return `${name}${nullable || !isRequired ? '?' : ''}${type}${description === undefined ? '' : ` (${description})`}`;
}

/** Splits a nullable schema into its parts. */
export function withoutNull(schema: JsonSchema): { nullable: boolean; value: JsonSchema } {
  const values = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (values?.length === 1) return { nullable: true, value: values[0]! };
  if (!Array.isArray(schema.type)) return { nullable: false, value: schema };
  const [type] = schema.type.filter((name) => name !== 'null');
  return { nullable: schema.type.includes('null'), value: { ...schema, type: type! } };
}
