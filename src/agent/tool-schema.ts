/** Converts a tool's schemas to JSON Schema 2020-12. Short, because a model reads all of them. */
import { z } from 'zod';
import { ToolFailure } from './outcomes.ts';
import type { Tool } from './tool.ts';

export type JsonSchema = { type: 'object' } & Record<string, unknown>;

export function inputSchema({ input }: Tool): JsonSchema {
  return jsonSchema(input.strict(), 'input');
}

/**
 * Allows both the tool's fields and those of a failure (`code` and `error`), because clients check
 * either against this one schema.
 */
export function outputSchema({ output }: Tool): JsonSchema {
  const success = jsonSchema(output, 'output');
  const failure = jsonSchema(ToolFailure, 'output');
  return {
    type: 'object',
    properties: { ...(failure.properties as object), ...(success.properties as object) },
    anyOf: [{ required: success.required ?? [] }, { required: failure.required }],
    ...(success.$defs ? { $defs: success.$defs } : {}),
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return withoutNoise(rest, io) as JsonSchema;
}

/** Bounds that zod adds to every integer */
const SAFE = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

function withoutNoise(value: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNoise(item, io));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => !isNoise(name, member, io, value),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNoise(member, io)]));
}

/** Checks keywords only. A field may have one of these names, but its value is then a schema. */
function isNoise(name: string, member: unknown, io: 'input' | 'output', around: object): boolean {
  switch (name) {
    case 'maximum':
    case 'minimum':
      return SAFE.includes(member as number);
    case 'id':
      return typeof member === 'string';
    case 'examples':
      return Array.isArray(member);
    // Redundant next to `format`.
    case 'pattern':
      return typeof member === 'string' && 'format' in around;
    case 'properties':
      return Object.keys(member as object).length === 0;
    case 'additionalProperties':
      // Answers may gain fields, which clients must ignore.
      return member === false ? io === 'output' : Object.keys(member as object).length === 0;
    default:
      return false;
  }
}
