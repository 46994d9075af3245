/** Declares a command of `territory`: its help, its API call, and the format of the response. */
import type { Argument, Option, OptionValues } from 'commander';
import type { z } from 'zod';
import type { Layout } from '../layout.ts';
import type { ApiCall } from './call.ts';
import { EXIT, Failure } from './failure.ts';
import { isRecord } from './json.ts';
import type { ReadArgument } from './read-argument.ts';
import type { ProcessIo } from './process-io.ts';

interface CommandHelp {
  /** Name and operands in commander's syntax: `best <metro> <vertical>` */
  usage: string;
  summary: string;
  options?: Option[];
  /** Command lines without the leading `territory` */
  examples: string[];
}

/** A command that doesn't call the API. Its only common option is --json. */
export interface LocalCommand extends CommandHelp {
  /** Operands that `usage` can't express */
  operands?: Argument[];
  run(operands: (string | undefined)[], options: OptionValues, io: ProcessIo): Promise<void>;
}

/** A command that calls the API. Its options add to `common-options.ts`. */
export interface Command extends CommandHelp {
  call(operands: string[], options: OptionValues, readArgument: ReadArgument): Task | Promise<Task>;
}

/** The work of a command, usually one API call. */
export interface Task {
  /** Expected media type of the response */
  type: string;
  needsKey?: boolean;
  /** @param print prints text before the answer. Returns false once standard output is closed */
  perform(callService: CallService, print: (text: string) => Promise<boolean>): Promise<Answer>;
  /** Formats a JSON response for people. Default: prints the response's text or bytes */
  format?: Formatter;
}

/** Calls the API with retries. @throws Failure */
export type CallService = (call: ApiCall) => Promise<Buffer>;

export interface Answer {
  /** Content for a file or a pipe */
  bytes: Buffer;
  type: string;
  /** JSON that describes a picture */
  metadata?: Buffer;
  /** The service's own text for people */
  text?: string;
  /** Set if the service didn't carry out the request. It's printed after the answer. */
  failure?: Failure;
}

export type Formatter = (answer: unknown, layout: Layout) => Promise<string>;

/** Returns a task with a single call, whose response is printed unchanged or formatted with `format`. */
export const plainCall = (call: ApiCall, format?: Formatter): Task => ({
  type: call.type,
  perform: async (callService) => ({ bytes: await callService(call), type: call.type }),
  ...(format && { format }),
});

export const jsonCall = (path: string, format: Formatter, query?: ApiCall['query']): Task =>
  plainCall({ path, ...(query && { query }), type: 'application/json' }, format);

/**
 * Wraps a function that formats a response. Checks the response against the service's schema, which is loaded only
 * then, so that help and pictures start without it.
 */
export const formatter =
  <Schema extends z.ZodType>(
    loadSchema: () => Promise<Schema>,
    format: (answer: z.output<Schema>, layout: Layout) => string,
  ): Formatter =>
  async (answer, layout) => {
    if (!isRecord(answer)) throw unexpectedAnswer('it is not a JSON object');
    const { answerProblems } = await import('./answer-problems.ts');
    const problems = answerProblems(await loadSchema(), answer);
    if (problems !== '') throw unexpectedAnswer(problems);
    return format(answer as z.output<Schema>, layout);
  };

const unexpectedAnswer = (why: string) =>
  new Failure(
    EXIT.other,
    `Could not read the response: ${why}. Check that TERRITORY_URL is the address of the service. ` +
      '--json prints the response unchanged.',
  );

/** Joins the non-empty parts with an empty line in between. */
export const paragraphs = (...parts: string[]) => parts.filter(Boolean).join('\n\n');
