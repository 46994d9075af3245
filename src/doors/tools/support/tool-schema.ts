/** Converts a tool's schemas to JSON Schema 2020-12. Keeps them short, because a model reads all of them. */
import { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';
import { ToolPreview } from './outcomes.ts';
import { signatureOf, withoutNull } from './signature.ts';
import type { Tool } from '../tool.ts';

type ObjectSchema = JsonSchema & { type: 'object' };

/** Returns the input schema. It always has `properties`, because OpenAI's API refuses parameters without it. */
export function inputSchema({ input }: Tool): ObjectSchema {
  const { type, ...rest } = jsonSchema(input.strict(), 'input');
  return { type, properties: {}, ...rest };
}

/** The fields of a preview that a model needs to know in advance */
const LISTED = { status: true, preview: true } as const;

/**
 * Returns the output schema. All fields are optional, because clients check failures and previews against it too.
 * Fields with objects are described in words.
 */
export function outputSchema({ output, write }: Tool): ObjectSchema {
  const fields = { ...(write ? ToolPreview.pick(LISTED).shape : {}), ...output.shape };
  const { properties = {} } = jsonSchema(z.object(fields), 'output');
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, describeInWords(field)]),
    ),
  };
}

function describeInWords(schema: JsonSchema): JsonSchema {
  const { nullable, value } = withoutNull(schema);
  const { description: _, ...plain } = value;
  const signature = signatureOf(value);
  const type: JsonSchema = value.items
    ? { type: 'array', items: { type: 'object' } }
    : { type: 'object' };
  const about = [schema.description, signature?.replace(/\[\]$/, '')].filter(Boolean).join(': ');
  return {
    // Some clients can't read `type: ['object', 'null']`.
    ...(nullable
      ? { anyOf: [signature ? type : plain, { type: 'null' }] }
      : signature
        ? type
        : plain),
    ...(about !== '' && { description: about }),
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return withoutNoise(inlineReferences(rest, $defs), io) as ObjectSchema;
}

/**
 * Replaces references, which some clients don't resolve. None of our schemas contains itself. Drops the description of a
 * referenced schema, because the field has its own.
 */
function inlineReferences(value: unknown, definitions: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlineReferences(item, definitions));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  if ($ref !== undefined) {
    const definition = definitions[$ref.split('/').at(-1)!] as { description?: string };
    const { description: _, ...shape } = definition;
    return { ...(inlineReferences(shape, definitions) as object), ...rest };
  }
  return Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, inlineReferences(member, definitions)]),
  );
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

/** Returns whether a keyword is noise. A field may have the same name, but its value is then a schema. */
function isNoise(name: string, member: unknown, io: 'input' | 'output', around: object): boolean {
  switch (name) {
    case 'maximum':
    case 'minimum':
      return SAFE.includes(member as number);
    // A model rarely exceeds these limits, and the error names them.
    case 'minLength':
    case 'maxLength':
      return typeof member === 'number';
    case 'id':
      return typeof member === 'string';
    case 'examples':
      return Array.isArray(member);
    // `format` implies the pattern.
    case 'pattern':
      return typeof member === 'string' && 'format' in around;
    case 'properties':
      return Object.keys(member as object).length === 0;
    case 'additionalProperties':
      // Clients must ignore new fields of answers.
      return member === false ? io === 'output' : Object.keys(member as object).length === 0;
    default:
      return false;
  }
}
