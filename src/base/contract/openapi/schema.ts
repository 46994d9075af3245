/** Converts Zod schemas to JSON Schema 2020-12, as used by OpenAPI 3.1, or to the schemas of OpenAPI 3.0. */
import { z } from 'zod';

export type Json = Record<string, unknown>;

/** The schemas of a document */
export interface Schemas {
  version: '3.1' | '3.0';
  /** Those with a name, which others refer to */
  named: Json;
}

export const newSchemas = (version: Schemas['version'] = '3.1'): Schemas => ({
  version,
  named: {},
});

/** Schemas with a `meta.id` are added to the named ones and referenced. */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  { version, named }: Schemas,
): Json {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    target: version === '3.0' ? 'openapi-3.0' : 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema: described }) => {
      // Clients must not reject unknown fields, because new fields are added without notice.
      if (described.additionalProperties === false) delete described.additionalProperties;
      if (version === '3.1' || !described.examples) return;
      described['example'] = (described.examples as unknown[])[0];
      delete described.examples;
    },
  });
  for (const [id, definition] of Object.entries($defs ?? {})) {
    named[id] = toComponentRefs(definition as Json);
  }
  const body = toComponentRefs(root as Json);
  const { id } = root as { id?: unknown };
  if (typeof id !== 'string') return body;
  named[id] = body;
  return { $ref: `#/components/schemas/${id}` };
}

/** Removes `id`, which is the key in the document. */
function toComponentRefs({ id: _, ...definition }: Json): Json {
  const text = JSON.stringify(definition).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as Json;
}
