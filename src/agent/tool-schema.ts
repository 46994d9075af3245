/** A tool's schemas as JSON Schema 2020-12, as short as they can be: a model reads all of them. */
import { z } from 'zod';
import { ToolFailure } from './failure.ts';
import type { Tool } from './tool.ts';

export type JsonSchema = { type: 'object' } & Record<string, unknown>;

export function inputSchema({ input }: Tool): JsonSchema {
  return jsonSchema(input.strict(), 'input');
}

/**
 * A failed call answers `code` and `error` in place of the tool's fields. Clients check either
 * against this one schema, so it allows for both: each field where it is given, and one of two sets.
 */
export function outputSchema({ output }: Tool): JsonSchema {
  const done = jsonSchema(output, 'output');
  const failed = jsonSchema(ToolFailure, 'output');
  return {
    type: 'object',
    properties: { ...(failed.properties as object), ...(done.properties as object) },
    anyOf: [{ required: done.required ?? [] }, { required: failed.required }],
    ...(done.$defs ? { $defs: done.$defs } : {}),
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return withoutNoise(rest, io) as JsonSchema;
}

/** The bounds that zod gives every whole number: nobody reaches them. */
const SAFE = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

function withoutNoise(value: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNoise(item, io));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, member]) => !isNoise(name, member, io, value));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNoise(member, io)]));
}

/** Keywords only: a field may have any of these names, but then it is an object that says something. */
function isNoise(name: string, member: unknown, io: 'input' | 'output', around: object): boolean {
  switch (name) {
    case 'maximum':
    case 'minimum':
      return SAFE.includes(member as number);
    case 'id':
      return typeof member === 'string';
    case 'examples':
      return Array.isArray(member);
    // How a date or a UUID is written, the format says already.
    case 'pattern':
      return typeof member === 'string' && 'format' in around;
    case 'properties':
      return Object.keys(member as object).length === 0;
    case 'additionalProperties':
      // In answers fields may come to be: clients must ignore those they do not know.
      return member === false ? io === 'output' : Object.keys(member as object).length === 0;
    default:
      return false;
  }
}
