/** Describes operations and tools for the command line, from their declarations. The build stores the descriptions. */
import { z } from 'zod';
import {
  inputs,
  type AnswerDeclaration,
  type Operation,
} from '../../../base/contract/operation.ts';
import type { JsonSchema } from '../../tools/support/json-schema.ts';
import type { Tool } from '../../tools/tool.ts';
import type { AnswerSchema } from './answer-problems.ts';
import type { Declared, Field } from './declared.ts';

interface Described {
  declared: Record<string, Declared>;
  answers: Record<string, AnswerSchema>;
}

const JSON_TYPE = 'application/json';

export function describe(operations: readonly Operation[], tools: readonly Tool[]): Described {
  const declared: [string, Declared][] = [];
  const answers: [string, AnswerSchema][] = [];
  for (const op of operations) {
    const answer = op.answers[200];
    if (!answer) continue;
    const fields = inputs(op).flatMap(([place, schema]) => fieldsOf(schema, placeOf(place)));
    const types = typesOf(answer);
    declared.push([
      op.id,
      {
        summary: op.summary,
        method: op.method,
        path: op.path,
        types,
        ...(op.auth.startsWith('bearer') && { needsKey: true }),
        ...(op.needs && op.needs !== 'reader' && { writes: true }),
        fields: Object.fromEntries(fields),
      },
    ]);
    if ('schema' in answer) answers.push([op.id, answerSchema(answer.schema)]);
  }
  for (const { name, summary, input, output } of tools) {
    const fields = Object.fromEntries(fieldsOf(input, 'body'));
    declared.push([name, { summary, types: [JSON_TYPE], needsKey: true, fields }]);
    answers.push([name, answerSchema(output)]);
  }
  return { declared: Object.fromEntries(declared), answers: Object.fromEntries(answers) };
}

const placeOf = (name: 'params' | 'query' | 'body') => (name === 'params' ? 'path' : name);

/** Media types without their parameters */
function typesOf(answer: AnswerDeclaration): string[] {
  if ('empty' in answer) return [];
  const types =
    'type' in answer ? [answer.type, ...(answer.otherTypes ?? [])] : (answer.types ?? [JSON_TYPE]);
  return types.map((type) => type.split(';')[0]!);
}

const schemaOf = (type: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(type, { io, unrepresentable: 'any' }) as JsonSchema;

/** Returns the fields of an object, and those of the objects in it. */
function fieldsOf(type: z.ZodType, place: Field['in']): [string, Field][] {
  const { $defs = {}, ...root } = schemaOf(type, 'input');
  const resolve = (schema: JsonSchema): JsonSchema => {
    const { $ref, anyOf, ...rest } = schema;
    const [other, nothing] = anyOf ?? [];
    if (nothing?.type === 'null') return { ...resolve(other!), ...rest };
    const name = String($ref).split('/').at(-1)!;
    return $ref === undefined
      ? schema
      : { ...($defs as Record<string, JsonSchema>)[name], ...rest };
  };
  const read = (all: Record<string, JsonSchema>, needed: string[], parent?: string) =>
    Object.entries(all).flatMap(([name, schema]): [string, Field][] => {
      const field = resolve(schema);
      // Lists in lists and records have no option of their own.
      const { type: inner } = resolve(field.items ?? { type: 'string' });
      if (inner === 'array' || inner === 'object') return [];
      if (field.type === 'object' && !field.properties) return [];
      if (field.properties) return read(field.properties, field.required ?? [], name);
      const isRequired = place === 'path' || (needed.includes(name) && parent === undefined);
      return [[name, fieldOf(field, { place, isRequired, within: parent, resolve })]];
    });
  const { properties = {}, required = [] } = resolve(root);
  return read(properties, required);
}

interface Around {
  place: Field['in'];
  isRequired: boolean;
  within: string | undefined;
  resolve(schema: JsonSchema): JsonSchema;
}

function fieldOf(schema: JsonSchema, { place, isRequired, within, resolve }: Around): Field {
  const items = schema.items && resolve(schema.items);
  const { type, enum: values, pattern, maximum } = items ?? schema;
  const isFlag = type === 'boolean' || (values?.join() === 'true,false' && place === 'query');
  const isNumber = type === 'number' || type === 'integer';
  return {
    in: place,
    type: isFlag ? 'flag' : isNumber ? 'number' : 'text',
    ...(within !== undefined && { within }),
    ...(items && { list: true }),
    ...(pattern === '^[0-9]{5}$' && { zip: true }),
    ...(isRequired && { required: true }),
    ...(values && !isFlag && { values: values.map(String) }),
    ...(isFlag && String(schema.default) === 'true' && { on: true }),
    ...(isNumber && Number(maximum) < Number.MAX_SAFE_INTEGER && { max: Number(maximum) }),
    text: textOf(schema, isFlag),
  };
}

/** Most values that help lists */
const LISTED = 6;

/** `Miles from the place, 1 to 50 (default: 10)`, from the description, the values or limits, and the default */
function textOf(schema: JsonSchema, isFlag: boolean): string {
  const { description = '', enum: words = [], minimum, maximum, default: normal } = schema;
  const said = description
    .replaceAll('`', '')
    .replace(/\.$/, '')
    .replace(isFlag ? /^(true|false) /i : '', '');
  const listed = words.length <= LISTED && !isFlag ? words.map(String) : [];
  const unsaid = listed.every((value) => said.includes(value)) ? '' : listed.join(', ');
  const values = said === '' || unsaid === '' ? unsaid : `(${unsaid})`;
  const limits =
    said === '' && minimum !== undefined && maximum !== undefined
      ? `${String(minimum)} to ${String(maximum)}`
      : '';
  const usual = normal === undefined || isFlag || /default/i.test(said) ? '' : String(normal);
  const parts = [said, values, limits, usual && `(default: ${usual})`];
  const sentence = parts.filter(Boolean).join(' ');
  return sentence.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

/** Keeps only what tells whether an answer can be shown: the service may be newer, with other words and limits. */
function answerSchema(type: z.ZodType): AnswerSchema {
  const { $defs, ...schema } = schemaOf(type, 'output');
  const defs = Object.entries(($defs ?? {}) as Record<string, JsonSchema>);
  const kept = defs.map(([name, one]) => [name, plain(one)] as const);
  return { ...plain(schema), ...(kept.length > 0 && { $defs: Object.fromEntries(kept) }) };
}

function plain({
  $ref,
  type,
  anyOf,
  properties,
  required,
  items,
  ...more
}: JsonSchema): AnswerSchema {
  const { additionalProperties: others } = more;
  return {
    ...($ref !== undefined && { $ref: String($ref) }),
    ...(type !== undefined && { type: String(type) }),
    ...(anyOf && { anyOf: anyOf.map(plain) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, plain(field)]),
      ),
    }),
    ...(required && { required }),
    ...(items && { items: plain(items) }),
    ...(typeof others === 'object' &&
      Object.keys(others).length > 0 && { additionalProperties: plain(others) }),
  };
}
