/** Checks an answer against what the service declares. Only commands that format an answer load this. */
import { readFileSync } from 'node:fs';
import { projectFile } from '../../../base/geodata/project-files.ts';
import { isRecord } from './json.ts';

/** The keywords of JSON Schema that tell whether an answer can be shown */
export interface AnswerSchema {
  $ref?: string;
  $defs?: Record<string, AnswerSchema>;
  type?: string;
  anyOf?: AnswerSchema[];
  properties?: Record<string, AnswerSchema>;
  required?: string[];
  items?: AnswerSchema;
  /** Of a record: what its values are */
  additionalProperties?: AnswerSchema;
}

const TYPES: Readonly<Record<string, readonly [words: string, is: (value: unknown) => boolean]>> = {
  string: ['a string', (value) => typeof value === 'string'],
  number: ['a number', (value) => typeof value === 'number'],
  integer: ['a number', (value) => typeof value === 'number'],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  array: ['a list', Array.isArray],
  object: ['an object', isRecord],
  null: ['null', (value) => value === null],
};

/** Problems that are named */
const MOST = 8;

/**
 * Finds wrong fields. Accepts additional fields and unknown words, because the service may be newer.
 * @param id operation or tool
 * @returns the wrong fields by their path, or an empty string
 */
export function answerProblems(id: string, answer: unknown): string {
  const text = readFileSync(projectFile('dist/doors/cli/answers.json'), 'utf8');
  const schema = (JSON.parse(text) as Record<string, AnswerSchema>)[id] ?? {};
  const problems = problemsOf(schema, answer, [], schema.$defs ?? {});
  const more = problems.length - MOST;
  return [...problems.slice(0, MOST), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function problemsOf(
  schema: AnswerSchema,
  value: unknown,
  at: readonly (string | number)[],
  defs: Record<string, AnswerSchema>,
): string[] {
  const { $ref, anyOf, type, properties = {}, required = [], items, additionalProperties } = schema;
  const inner = (one: AnswerSchema, part: unknown, name: string | number) =>
    problemsOf(one, part, [...at, name], defs);
  if ($ref) return problemsOf(defs[$ref.split('/').at(-1)!] ?? {}, value, at, defs);
  if (anyOf) {
    const each = anyOf.map((one) => problemsOf(one, value, at, defs));
    return each.some(({ length }) => length === 0) ? [] : each[0]!;
  }
  const [words, is] = TYPES[type ?? ''] ?? [];
  if (is && !is(value)) return [`${at.join('.') || 'it'} must be ${words}`];
  if (Array.isArray(value)) return items ? value.flatMap((one, i) => inner(items, one, i)) : [];
  if (!isRecord(value)) return [];
  return [
    ...required
      .filter((name) => value[name] === undefined)
      .map((name) => `${[...at, name].join('.')} is missing`),
    ...Object.entries(value).flatMap(([name, part]) => {
      const one = properties[name] ?? additionalProperties;
      return one && part !== undefined ? inner(one, part, name) : [];
    }),
  ];
}
