/** A command of `territory`, declared: its words, its call of the API, how the answer reads. */
import type { Option, OptionValues } from 'commander';
import type { z } from 'zod';
import type { Paper } from '../paper.ts';
import type { ApiCall } from './call.ts';
import { EXIT, Failure } from './failure.ts';

export interface Command {
  /** As commander has it: `best <metro> <vertical>` */
  usage: string;
  summary: string;
  /** Of its own; every command also has those of `common-options.ts` */
  options?: Option[];
  /** What follows `territory` */
  examples: string[];
  call(operands: string[], options: OptionValues): ReadableCall;
}

export interface ReadableCall extends ApiCall {
  /** A JSON answer for people; left out: its bytes are all there is to show */
  text?: Reading;
}

type Reading = (answer: unknown, paper: Paper) => string;

export const jsonCall = (path: string, text: Reading, query?: ApiCall['query']): ReadableCall => ({
  path,
  ...(query && { query }),
  type: 'application/json',
  text,
});

/** Ties the reading of an answer to its schema, which lets fields pass that it does not know. */
export function reading<Schema extends z.ZodType>(
  schema: Schema,
  text: (answer: z.output<Schema>, paper: Paper) => string,
): Reading {
  return (answer, paper) => {
    const result = schema.safeParse(answer);
    if (result.success) return text(result.data, paper);
    const where = result.error.issues.map(({ path }) => path.join('.') || 'all of it');
    throw new Failure(
      EXIT.other,
      `The answer cannot be shown: ${where.join(', ')} is not as expected. Does TERRITORY_URL name ` +
        'the service? --json prints the answer as it is.',
    );
  };
}

/** Parts of a text, an empty line between. */
export const paragraphs = (...parts: string[]) => parts.filter(Boolean).join('\n\n');
