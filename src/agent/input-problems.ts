/** Describes the problems of a tool's input, and what is accepted, in one sentence. */
import type { z } from 'zod';
import { truncate } from '../words.ts';

/** A list of 500 ZIP codes can have as many problems. */
const MAX_PROBLEMS = 8;

export function describeProblems(
  toolName: string,
  input: z.ZodObject,
  issues: readonly z.core.$ZodIssue[],
): string {
  return `Invalid input for ${toolName}: ${listProblems(issues, Object.keys(input.shape))}.`;
}

/** `zips is missing; limit must be a number` @param fields accepted at the top level */
export function listProblems(
  issues: readonly z.core.$ZodIssue[],
  fields: readonly string[] = [],
): string {
  const problems = issues.flatMap((issue) => describe(issue, fields));
  const named = problems.slice(0, MAX_PROBLEMS);
  const more = problems.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function describe(issue: z.core.$ZodIssue, fields: readonly string[]): string[] {
  const name = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        name === ''
          ? `unknown field "${truncate(key, 40)}" (${fields.length === 0 ? 'the tool takes none' : `fields: ${fields.join(', ')}`})`
          : `unknown field "${truncate(key, 40)}" in ${name}`,
      );
    case 'invalid_value':
      return [`${name} must be ${oneOf(issue.values)}`];
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return [`${name}: ${issue.message}`];
      return issue.message.endsWith('received undefined')
        ? [`${name} is missing`]
        : [`${name || 'it'} must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`];
    case 'too_big':
      return [`${name} must ${describeBound(issue.origin, `at most ${String(issue.maximum)}`)}`];
    case 'too_small':
      return [`${name} must ${describeBound(issue.origin, `at least ${String(issue.minimum)}`)}`];
    default:
      return [name === '' ? lowerFirst(issue.message) : `${name}: ${lowerFirst(issue.message)}`];
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const MEASURES: Record<string, (bound: string) => string> = {
  string: (bound) => `have ${bound} characters`,
  array: (bound) => `have ${bound} items`,
};

const describeBound = (origin: string, bound: string) => MEASURES[origin]?.(bound) ?? `be ${bound}`;

const oneOf = (values: readonly unknown[]) =>
  values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`;

const lowerFirst = (text: string) =>
  text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
