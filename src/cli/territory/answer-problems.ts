/** Checks an answer against the service's schema. Only commands that format an answer load this. */
import type { z } from 'zod';
import { listProblems } from '../../contract/input-problems.ts';

/**
 * Finds wrong fields. Accepts additional fields and unknown words of an enumeration, because the service may be newer.
 * @returns the wrong fields by their path, or an empty string
 */
export function answerProblems(schema: z.ZodType, answer: unknown): string {
  const { error } = schema.safeParse(answer, { reportInput: true });
  return listProblems(error?.issues.filter((issue) => !isNewer(issue)) ?? []);
}

function isNewer(issue: z.core.$ZodIssue): boolean {
  switch (issue.code) {
    case 'unrecognized_keys':
      return true;
    case 'invalid_value':
      return issue.values.some((value) => typeof value === typeof issue.input);
    default:
      return false;
  }
}
