/** A command of `territory`, declared: its words, its call of the API, how the answer reads. */
import type { Option, OptionValues } from 'commander';
import type { z } from 'zod';
import type { Paper } from '../paper.ts';
import type { ApiCall } from './call.ts';
import { EXIT, Failure } from './failure.ts';
import type { Given } from './given.ts';

export interface Command {
  /** As commander has it: `best <metro> <vertical>` */
  usage: string;
  summary: string;
  /** Of its own; every command also has those of `common-options.ts` */
  options?: Option[];
  /** What follows `territory` */
  examples: string[];
  call(operands: string[], options: OptionValues, given: Given): Task | Promise<Task>;
}

/** What a command does: mostly one call of the API. */
export interface Task {
  /** The media type of the answer's bytes, as far as that is known before */
  type: string;
  /** Without a key there is nothing to ask for. */
  needsKey?: boolean;
  perform(ask: Ask): Promise<Answer>;
  /** A JSON answer for people; left out: its words or bytes are all there is to show */
  text?: Reading;
}

/** Calls the API, patiently. @throws Failure */
export type Ask = (call: ApiCall) => Promise<Buffer>;

export interface Answer {
  /** What goes to a file or a pipe */
  bytes: Buffer;
  type: string;
  /** Of a picture: JSON that tells about it */
  about?: Buffer;
  /** The service's own text for people */
  words?: string;
  /** What was asked for was not done: told after the answer, which says what it would be */
  failure?: Failure;
}

export type Reading = (answer: unknown, paper: Paper) => string;

/** One call, whose answer is shown as it comes. */
export const plainCall = (call: ApiCall, text?: Reading): Task => ({
  type: call.type,
  perform: async (ask) => ({ bytes: await ask(call), type: call.type }),
  ...(text && { text }),
});

export const jsonCall = (path: string, text: Reading, query?: ApiCall['query']): Task =>
  plainCall({ path, ...(query && { query }), type: 'application/json' }, text);

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
