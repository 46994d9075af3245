/** Describes the problems of an input, and the accepted values, in one sentence. */
import { z } from 'zod';
import { describeUnknownField } from './unknown-fields.ts';
import { pluralize } from '../text/words.ts';

/** A list of 500 ZIP codes can have as many problems. */
const MAX_PROBLEMS = 8;

export function describeProblems(
  toolName: string,
  input: z.ZodObject,
  issues: readonly z.core.$ZodIssue[],
): string {
  return `Invalid input for ${toolName}: ${listProblems(issues, input)}.`;
}

/** `zips is missing; limit must be a number` @param schema schema of the input, for listing its fields */
export function listProblems(issues: readonly z.core.$ZodIssue[], schema?: z.ZodType): string {
  const problems = [...new Set(issues.flatMap((issue) => describeIssue(issue, schema)))];
  const named = problems.slice(0, MAX_PROBLEMS);
  const more = problems.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** `['limit must be at most 200']`; one sentence per unknown field */
export function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType = z.unknown()): string[] {
  const name = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => describeUnknownField(schema, issue.path, key));
    case 'invalid_key':
      return [describeUnknownField(schema, issue.path.slice(0, -1), String(issue.path.at(-1)))];
    case 'invalid_union':
      return describeUnion(issue, schema);
    case 'invalid_value':
      return [`${name} must be ${oneOf(issue.values)}`];
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return [`${name}: ${issue.message}`];
      return issue.message.endsWith('received undefined')
        ? [`${name} is missing`]
        : [`${name || 'it'} must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`];
    case 'too_big':
      return [`${name} must ${describeBound(issue.origin, 'at most', issue.maximum)}`];
    case 'too_small':
      return [`${name} must ${describeBound(issue.origin, 'at least', issue.minimum)}`];
    case 'invalid_format':
      if (issue.format === 'uuid') return [`${name} must be an id (UUID) from an earlier answer`];
      return [sentence(name, issue.message)];
    default:
      return [sentence(name, issue.message)];
  }
}

/** Describes the alternative that fits best, or what each accepts if none of them does. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion, schema: z.ZodType): string[] {
  const name = issue.path.map(String).join('.');
  if (!issue.message.startsWith('Invalid input')) return [sentence(name, issue.message)];
  const [best, next] = issue.errors.toSorted((a, b) => a.length - b.length);
  if (best && (!next || best.length < next.length)) {
    return best.flatMap((one) =>
      describeIssue({ ...one, path: [...issue.path, ...one.path] }, schema),
    );
  }
  const types = issue.errors.map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0
      ? (TYPE_NAMES[first.expected] ?? first.expected)
      : undefined,
  );
  return types.includes(undefined)
    ? [`${name} has none of the accepted forms`]
    : [`${name} must be ${[...new Set(types)].join(' or ')}`];
}

const sentence = (name: string, message: string) =>
  name === '' ? lowerFirst(message) : `${name}: ${lowerFirst(message)}`;

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const COUNTED: Record<string, string> = { string: 'character', array: 'item' };

function describeBound(origin: string, which: 'at most' | 'at least', bound: number | bigint) {
  const noun = COUNTED[origin];
  return noun === undefined
    ? `be ${which} ${bound}`
    : `have ${which} ${pluralize(Number(bound), noun)}`;
}

const oneOf = (values: readonly unknown[]) =>
  values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`;

const lowerFirst = (text: string) =>
  text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
