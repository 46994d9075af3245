/** Makes operands and options of commands from declared fields, and reads what a person gave. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type OptionValues } from 'commander';
import { decodeText } from '../../../base/files/decode.ts';
import { pluralize } from '../../../base/text/words.ts';
import { splitZips } from '../arguments.ts';
import type { Command, Given, Input, LocalCommand, ReadArgument } from './command.ts';
import { declaredOf, type Field } from './declared.ts';
import { EXIT, Failure, failOnInput } from './failure.ts';

const KEBAB = /[A-Z]/g;
const nameOf = ({ names = {} }: Command, field: string): string =>
  names[field] ?? field.replaceAll(KEBAB, (letter) => `-${letter.toLowerCase()}`);

/** Fields of all operations and tools that a command calls, with the name of their operand or option */
function fieldsOf(command: Command): { name: string; field: string; declared: Field }[] {
  const found = new Map<string, { name: string; field: string; declared: Field }>();
  for (const id of command.calls) {
    for (const [field, declared] of Object.entries(declaredOf(id).fields)) {
      const name = nameOf(command, field);
      if (!command.hides?.includes(field) && !found.has(name))
        found.set(name, { name, field, declared });
    }
  }
  return [...found.values()];
}

export const summaryOf = (command: Command | LocalCommand): string =>
  command.summary ??
  ('calls' in command ? lowerFirst(declaredOf(command.calls[0]).summary) : command.usage);

const lowerFirst = (text: string) => text[0]!.toLowerCase() + text.slice(1);

/** `apply <brand> <zips...>`, with the operands that the declaration requires */
export function usageOf(command: Command): string {
  if (/[<[]/.test(command.usage)) return command.usage;
  const { fields } = declaredOf(command.calls[0]);
  const operands = fieldsOf(command)
    .filter(({ field }) => fields[field]?.required && fields[field].in !== 'query')
    .filter(({ field }) => field !== VERSION)
    // A list is last.
    .toSorted((a, b) => Number(a.declared.list ?? false) - Number(b.declared.list ?? false))
    .map(({ name, declared }) => `<${name}${declared.list ? '...' : ''}>`);
  return [command.usage, ...operands].join(' ');
}

const operandNames = (command: Command) =>
  Array.from(usageOf(command).matchAll(/[<[]([\w-]+)/g), ([, name]) => name!);

/** The version of a plan, which an edit must name. The command reads it. */
export const VERSION = 'version';
/** An operand that is a metro or a list of ZIP codes */
const MARKET = 'market';
const MARKET_FIELDS = ['metro', 'zips'];

/** Texts of fields that many operations have, in the words of a terminal */
const TEXTS: Readonly<Record<string, string>> = {
  limit: 'rows per page',
  cursor: 'continue after the previous page',
  all: 'get all pages; each page is charged as a call',
  confirm: 'make the change; without it, nothing changes',
  idempotencyKey: 'make the change once, even if the call is repeated',
  zips: 'ZIP codes, @file, or - for standard input',
  excludeZips: 'ZIP codes to leave out',
  minScore: 'minimum score, 0 to 100',
  vertical: 'slug of a vertical, such as roofing',
  brand: 'slug, name, or id of a brand',
};

export function optionsOf(command: Command): Option[] {
  const { texts = {}, read = {}, choose, perform } = command;
  const operands = operandNames(command);
  const hidden = [...operands, VERSION, ...(operands.includes(MARKET) ? MARKET_FIELDS : [])];
  const { fields: usual } = declaredOf(command.calls[0]);
  const options = fieldsOf(command)
    .filter(({ name }) => !hidden.includes(name))
    .map(({ name, field, declared }) => {
      const repeats = declared.list && !read[name];
      const text = texts[name] ?? TEXTS[field] ?? declared.text;
      const option = new Option(
        flagsOf(name, declared),
        repeats ? [text, 'repeatable'].filter(Boolean).join('; ') : text,
      );
      const parse = read[name] ?? (declared.type === 'number' ? parseNumber : undefined);
      if (repeats) option.argParser(collect(parse));
      else if (parse) option.argParser(parse);
      return option.makeOptionMandatory(
        usual[field]?.required === true && choose === undefined && perform === undefined,
      );
    });
  return [
    ...options,
    ...(command.more ?? []),
    ...(isPaged(command) ? [new Option('--all', TEXTS['all']).conflicts('cursor')] : []),
    ...(command.confirm ? [new Option('--confirm', TEXTS['confirm'])] : []),
  ];
}

/** Collects the values of a repeated option. */
const collect =
  (parse: (word: string) => unknown = (word) => word) =>
  (word: string, before: unknown[] = []) => [...before, parse(word)];

const isPaged = ({ calls }: Command) => 'cursor' in declaredOf(calls[0]).fields;

function flagsOf(name: string, { type, on, list, zip }: Field): string {
  if (type === 'flag') return on ? `--no-${name}` : `--${name}`;
  const number = type === 'number' ? 'number' : undefined;
  const value = zip ? (list ? 'zips' : 'zip') : (number ?? (name.includes('-') ? 'text' : name));
  return `--${name} <${value}>`;
}

/** Values that the service declares for an operand or option of a command */
export function declaredValues(
  commands: readonly (Command | LocalCommand)[],
  name: string,
): readonly string[] {
  const fields = commands.flatMap((command) => ('calls' in command ? fieldsOf(command) : []));
  return fields.find((one) => one.name === name && one.declared.values)?.declared.values ?? [];
}

const camel = (name: string) =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns what was given. @throws Failure */
export async function readGiven(
  command: Command,
  operands: readonly (string | string[] | undefined)[],
  options: OptionValues,
  readArgument: ReadArgument,
): Promise<Given> {
  const given: Record<string, unknown> = { options };
  for (const option of command.more ?? []) {
    given[option.attributeName()] = options[option.attributeName()];
  }
  const words = Object.fromEntries(operandNames(command).map((name, i) => [name, operands[i]]));
  const fields = new Map(fieldsOf(command).map((one) => [one.name, one]));
  for (const [name, word] of Object.entries(words)) {
    if (name === MARKET) Object.assign(given, await readMarket([word ?? []].flat(), readArgument));
    else if (!fields.has(name)) given[camel(name)] = word;
  }
  for (const { name, field, declared } of fields.values()) {
    const value = words[name] ?? options[camel(name)];
    const isUsual = value === undefined || (declared.on && value === true);
    if (isUsual || (Array.isArray(value) && value.length === 0)) continue;
    given[field] = value;
    if (declared.list && declared.zip) given[field] = await readZips([value].flat(), readArgument);
    if (declared.type === 'number' && name in words) given[field] = numberOf(name, String(value));
  }
  return given;
}

function numberOf(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Failure(EXIT.usage, `The ${name} "${text}" is not a number.`);
}

/** Returns the input of an operation that a command calls. @throws Failure for options that don't belong to it */
export function inputOf(command: Command, id: string, given: Given): Input {
  const known = fieldsOf(command);
  const { fields } = declaredOf(id);
  const unused = known.find(({ field }) => given[field] !== undefined && !fields[field]);
  if (unused) {
    const flags = (command.more ?? []).map(({ long }) => long).join(' or ');
    throw new Failure(
      EXIT.usage,
      `--${unused.name} has no effect without ${flags}. Add it, or leave out --${unused.name}.`,
    );
  }
  const values = known.map(({ field }) => [field, given[field]] as const);
  // A market is an operand without a field of its name.
  const market = MARKET_FIELDS.map((field) => [field, given[field]] as const);
  return { ...Object.fromEntries([...market, ...values]), ...command.input?.(given) };
}

/** Refuses an edit that changes nothing. @throws Failure */
export function refuseNothing(command: Command, given: Given): void {
  const fields = new Map(fieldsOf(command).map(({ name, field }) => [name, field]));
  const operands = new Set(operandNames(command).map((name) => fields.get(name) ?? camel(name)));
  const changes = Object.entries(given).filter(
    ([name]) => !operands.has(name) && name !== 'options',
  );
  if (changes.some(([, value]) => value !== undefined)) return;
  const options = optionsOf(command).map(({ long }) => long);
  throw new Failure(EXIT.usage, `Say what to change, with one of ${options.join(', ')}.`);
}

/** Parses a number. The service checks its range. */
function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new InvalidArgumentError('Expected a number.');
  return value;
}

/** Reads arguments from a file or a pipe, since they may be too long for a command line. */
export const argumentReader =
  (input: AsyncIterable<string | Buffer>): ReadArgument =>
  async (argument) => {
    if (argument === '-') return readAll(input);
    return argument.startsWith('@') ? readBytes(argument.slice(1)) : Buffer.from(argument);
  };

async function readAll(input: AsyncIterable<string | Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const READ_PROBLEMS: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

/** The failure to read a file, in words */
export function unreadable(file: string, cause: unknown): Failure {
  const { code, message } = cause as NodeJS.ErrnoException;
  const why = READ_PROBLEMS[code ?? ''] ?? message;
  return new Failure(EXIT.usage, `Could not read ${file}: ${why}.`, { cause });
}

const readBytes = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });

/** Reads the encodings of spreadsheets, as imports in the browser do. @throws Failure if it isn't text */
export const textOf = (bytes: Buffer): Promise<string> => decodeText(bytes).catch(failOnInput);

/**
 * Splits arguments at commas and spaces. `@file` and `-` may be any file with ZIP codes that imports read.
 * @throws Failure for a file with entries that aren't clearly ZIP codes
 */
export async function readZips(
  words: readonly string[],
  readArgument: ReadArgument,
): Promise<string[]> {
  const lists = await Promise.all(
    words.map(async (word) => {
      const bytes = await readArgument(word);
      // A file may also name a metro.
      const isList = /^@|^-$/.test(word) && !/^[a-z\s,-]*$/i.test(bytes.toString('latin1'));
      return isList ? zipsOfFile(word, bytes) : splitZips(await textOf(bytes));
    }),
  );
  return lists.flat();
}

async function zipsOfFile(word: string, bytes: Buffer): Promise<string[]> {
  const { readZipFile } = await import('../../../territories/brands/import/read-file.ts');
  const { place, readings, areas } = await readZipFile({ bytes }).catch(failOnInput);
  const unclear = readings.filter(({ outcome }) => outcome !== 'new');
  const [first] = unclear;
  const file = word === '-' ? 'Standard input' : word.slice(1);
  if (areas.length > 0) {
    throw new Failure(
      EXIT.usage,
      `${file}: feature ${areas[0]!.at} doesn’t name its ZIP code. Give each feature a property "zip", or import the file on the page of a brand, which finds the ZIP codes of areas.`,
    );
  }
  if (!first) return [...new Set(readings.map(({ zip }) => zip!))];
  throw new Failure(
    EXIT.usage,
    `${file}: ${pluralize(unclear.length, 'entry', 'entries')} ${unclear.length === 1 ? 'isn’t' : 'aren’t'} clearly a ZIP code. ` +
      `${place[0]!.toUpperCase()}${place.slice(1)} ${first.at}, “${first.given}”: ${first.reason} Write each ZIP code with five digits.`,
  );
}

/** Reads a market. @throws Failure unless the words are a metro or ZIP codes */
async function readMarket(words: readonly string[], readArgument: ReadArgument) {
  if (words.length === 0) return {};
  const parts = await readZips(words, readArgument);
  if (parts.length > 0 && parts.every((part) => /^\d/.test(part))) return { zips: parts };
  if (parts.length === 1) return { metro: parts[0]! };
  throw new Failure(
    EXIT.usage,
    'A market is one metro, such as dallas-tx, or a list of ZIP codes.',
  );
}
