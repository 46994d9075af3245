/** Converts Zod schemas to JSON Schema 2020-12, as used by OpenAPI 3.1. */
import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Schemas with a `meta.id` are added to `schemas` and referenced. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: described }) => {
      // Clients must not reject unknown fields, because new fields are added without notice.
      if (described.additionalProperties === false) delete described.additionalProperties;
    },
  });
  for (const [id, definition] of Object.entries($defs ?? {})) {
    schemas[id] = toComponentRefs(definition as Json);
  }
  const body = toComponentRefs(root as Json);
  const { id } = root as { id?: unknown };
  if (typeof id !== 'string') return body;
  schemas[id] = body;
  return { $ref: `#/components/schemas/${id}` };
}

/** Removes `id`, which is the key in the document. */
function toComponentRefs({ id: _, ...definition }: Json): Json {
  const text = JSON.stringify(definition).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as Json;
}
