/** Zod's schemas as JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Those with a `meta.id` go to `schemas` and are referred to. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: described }) => {
      // Fields may be added without notice: a client that refuses them would break.
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

/** `$defs` carry their `meta.id`, which the document has as the key. */
function toComponentRefs({ id: _, ...definition }: Json): Json {
  const text = JSON.stringify(definition).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as Json;
}
