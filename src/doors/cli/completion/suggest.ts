/** Suggests the next word of a command line from the definitions of commands. */
import type { Command, Option } from 'commander';
import { write, type OutStream } from '../layout.ts';
import { FILES } from './scripts.ts';

export interface Suggestion {
  value: string;
  /** Text that zsh and fish show */
  note?: string;
}

/** Returns the values of an operand or option by its name; undefined if the shell should complete a file. */
type ValuesOf = (name: string) => Promise<readonly Suggestion[] | undefined>;

/**
 * Returns suggestions for the last word.
 * @param words words after the command's name. The last one is incomplete and may be empty.
 * @returns null if the shell should suggest files
 */
export async function suggest(
  program: Command,
  words: readonly string[],
  valuesOf: ValuesOf,
): Promise<Suggestion[] | null> {
  // bash passes `--brand=star` as three words.
  const parts = words.filter((word, i) => word !== '=' || i === words.length - 1);
  const last = parts.at(-1) === '=' ? '' : (parts.at(-1) ?? '');
  const { command, operands, pending, used } = findCommand(program, parts.slice(0, -1));
  const matching = (all: readonly Suggestion[] | undefined, before = '', typed = last) =>
    all
      ? all
          .filter(({ value }) => value.startsWith(typed))
          .map(({ value, ...rest }) => ({ value: before + value, ...rest }))
      : null;
  if (pending) return matching(await valuesOfOption(pending, valuesOf));
  const [, flag, typed] = /^(--[\w-]+)=(.*)$/.exec(last) ?? [];
  const option = flag === undefined ? undefined : optionOf(command, flag);
  if (option) return matching(await valuesOfOption(option, valuesOf), `${flag}=`, typed);
  if (last.startsWith('-')) {
    const open = command.options.filter((one) => !used.has(one) && one.long && !one.hidden);
    return matching([...open, HELP].map(({ long, description }) => withNote(long!, description)));
  }
  if (command.commands.length > 0) {
    return matching(command.commands.map((sub) => withNote(sub.name(), sub.description())));
  }
  const declared = command.registeredArguments;
  const operand = declared[operands] ?? (declared.at(-1)?.variadic ? declared.at(-1) : undefined);
  if (!operand) return [];
  return matching(
    operand.argChoices?.map((value) => ({ value })) ?? (await valuesOf(operand.name())),
  );
}

const HELP = { long: '--help', description: 'show help' };
const withNote = (value: string, note: string): Suggestion => ({ value, note });

/** Follows the complete words to their command. */
function findCommand(program: Command, words: readonly string[]) {
  let command = program;
  let operands = 0;
  let pending: Option | undefined;
  const used = new Set<Option>();
  for (const word of words) {
    if (pending) {
      pending = undefined;
      continue;
    }
    const option = word.startsWith('-') ? optionOf(command, word.split('=')[0]!) : undefined;
    const sub = command.commands.find((one) => one.name() === word);
    if (option) {
      if (!Array.isArray(option.defaultValue) && !/repeat/.test(option.description))
        used.add(option);
      if (option.required && !word.includes('=')) pending = option;
    } else if (sub && operands === 0) command = sub;
    else if (!word.startsWith('-')) operands++;
  }
  return { command, operands, pending, used };
}

const optionOf = (command: Command, flag: string) =>
  command.options.find(({ long, short }) => flag === long || flag === short);

/** `--brand <brand>` takes the same values as the operand `<brand>`. */
async function valuesOfOption(option: Option, valuesOf: ValuesOf) {
  if (option.argChoices) return option.argChoices.map((value) => ({ value }));
  return valuesOf(option.long?.slice(2) ?? '');
}

/** Prints suggestions in the format of the scripts. */
export async function printSuggestions(
  suggestions: readonly Suggestion[] | null,
  out: OutStream,
): Promise<void> {
  const lines = suggestions?.map(({ value, note }) => (note ? `${value}\t${note}` : value));
  const text = (lines ?? [FILES]).map((line) => `${line.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
  if (text) await write(out, text);
}

/** Values by the name of an operand or option */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  style: ['light', 'dark', 'muted'],
  classes: ['national', 'quantiles', 'equal'],
  'zip-labels': ['zip', 'score', 'both', 'none'],
  composition: ['thumbnail', 'social', 'square', 'story', 'banner', 'print'],
  engine: ['auto', 'canvas', 'maplibre-native'],
  role: ['owner', 'admin', 'reviewer', 'member'],
};

/** Operands and options whose value is a file, which the shell completes. Lists of ZIP codes accept `@file`. */
const FILE_NAMES = new Set([
  'output',
  'file',
  'client-secret-file',
  'zips',
  'logo',
  'cache',
  'folder',
  'archive',
  'underlay',
]);

/** Returns values that are the same for every service and for both commands. */
export async function knownValues(name: string): Promise<readonly Suggestion[] | undefined> {
  if (FILE_NAMES.has(name)) return undefined;
  if (name === 'metro' || name === 'market') {
    const { launchedMetros } = await import('../../../data/market/metros.ts');
    return launchedMetros().map(({ slug, label }) => ({ value: slug, note: label }));
  }
  if (name === 'vertical') {
    const { VERTICALS } = await import('../../../data/scoring/verticals.ts');
    return VERTICALS.map(({ slug, label }) => ({ value: slug, note: label }));
  }
  return (WORDS[name] ?? []).map((value) => ({ value }));
}
