/** Declares a command of `territory`. Its operands, options, and request follow from what the service declares. */
import type { Argument, Option, OptionValues } from 'commander';
import type { Layout, OutStream } from '../layout.ts';
import type { FileBody } from './call.ts';
import type { Failure } from './failure.ts';

interface CommandHelp {
  /** Name, and operands in commander's syntax unless they are the required fields: `health [brand]` */
  usage: string;
  /** Command lines without the leading `territory` */
  examples: string[];
}

/** A command that doesn't call the API. Its only common option is --json. */
export interface LocalCommand extends CommandHelp {
  summary: string;
  options?: Option[];
  /** Operands that `usage` can't express */
  operands?: Argument[];
  run(operands: (string | undefined)[], options: OptionValues, io: ProcessIo): Promise<void>;
}

/** A command that calls operations or tools. */
export interface Command extends CommandHelp {
  /** Ids of operations and tools, the usual one first. Their fields are options of the command. */
  calls: readonly string[];
  /** Media type of the answer. Default: the declared one */
  type?: string;
  /** Default: the declared summary */
  summary?: string;
  /** Selects another operation than the first one */
  choose?(given: Given): string | false | undefined;
  /** Names of operands and options by field, where they differ */
  names?: Readonly<Record<string, string>>;
  /** Fields without an option */
  hides?: readonly string[];
  /** Texts of options by name, where the declared ones say too little */
  texts?: Readonly<Record<string, string>>;
  /** Reads the values of options, by name. The second parameter is what an earlier one of the same name returned. */
  read?: Readonly<Record<string, (text: string, before?: any) => unknown>>;
  /** Options that aren't fields */
  more?: readonly Option[];
  /** Whether at least one option is needed */
  edits?: true;
  /** Says what can't be undone, with operands in braces. The command then needs --confirm. */
  confirm?: string;
  /** Says what was done, with operands in braces */
  done?: string;
  /** Values of fields that don't follow from an operand or option of their name */
  input?(given: Given): Input;
  /** Default: a single call, or one for each page with --all */
  perform?(steps: Steps, given: Given): Promise<Answer>;
}

/** Values by the names of fields */
export type Input = Readonly<Record<string, unknown>>;

/**
 * Values of operands and options: by the names of fields, or else by their own camel-cased names. `options` has all
 * options as they were parsed.
 */
export type Given = Readonly<Record<string, any>>;

/** What the work of a command consists of */
export interface Steps {
  /** Calls an operation or a tool with retries. @throws Failure */
  call(id: string, input: Input, file?: FileBody): Promise<Answer>;
  /** Prints text before the answer. Returns false once standard output is closed */
  print(text: string): Promise<boolean>;
  /** Calls a tool that this version may not know. @throws Failure */
  callTool(name: string, input: Input): Promise<Answer>;
  readArgument: ReadArgument;
}

/** Returns the content of a file for `@file`, standard input for `-`, and any other argument unchanged. */
export type ReadArgument = (argument: string) => Promise<Buffer>;

export interface Answer {
  /** The operation or tool whose answer it is */
  of?: string;
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

/** Formats an answer whose fields were checked. @param text the service's own text, wrapped; empty without one */
export type Formatter<T = any> = (answer: T, layout: Layout, text: string) => string;

/** Formatters by the operation or tool */
export type Formats = Readonly<Record<string, Formatter>>;

/** Environment and streams of the process. Tests pass their own. */
export interface ProcessIo {
  env: Record<string, string | undefined>;
  in: AsyncIterable<string | Buffer>;
  out: OutStream;
  err: OutStream;
}
