/** What is wrong with a tool's input, and what would be right: one sentence that names it all. */
import type { z } from 'zod';
import { shortened } from '../words.ts';

/** A list of 500 ZIPs may be wrong in as many places. */
const NAMED_AT_MOST = 8;

export function describeProblems(
  toolName: string,
  input: z.ZodObject,
  issues: readonly z.core.$ZodIssue[],
): string {
  const problems = issues.flatMap((issue) => describe(issue, Object.keys(input.shape)));
  const named = problems.slice(0, NAMED_AT_MOST);
  const more = problems.length - named.length;
  return `The input of ${toolName} is wrong: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

function describe(issue: z.core.$ZodIssue, fields: readonly string[]): string[] {
  const name = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        name === ''
          ? `there is no "${shortened(key, 40)}" (there ${fields.length === 0 ? 'are no fields' : `are: ${fields.join(', ')}`})`
          : `${name} has no "${shortened(key, 40)}"`,
      );
    case 'invalid_value':
      return [`${name} must be ${oneOf(issue.values)}`];
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return [`${name}: ${issue.message}`];
      return issue.message.endsWith('received undefined')
        ? [`${name} is missing`]
        : [`${name || 'it'} must be ${A[issue.expected] ?? issue.expected}`];
    case 'too_big':
      return [`${name} must ${measured(issue.origin, `at most ${String(issue.maximum)}`)}`];
    case 'too_small':
      return [`${name} must ${measured(issue.origin, `at least ${String(issue.minimum)}`)}`];
    default:
      return [name === '' ? lowered(issue.message) : `${name}: ${lowered(issue.message)}`];
  }
}

const A: Record<string, string> = {
  string: 'a text',
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

const measured = (origin: string, bound: string) => MEASURES[origin]?.(bound) ?? `be ${bound}`;

const oneOf = (values: readonly unknown[]) =>
  values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`;

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
