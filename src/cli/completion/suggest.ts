/** Suggests the next word of a command line, from the definition of its commands. */
import type { Command, Option } from 'commander';

export interface Suggestion {
  value: string;
  /** Shown by zsh and fish */
  note?: string;
}

/** Values of an operand or option, by its name. Undefined: the shell completes a file */
export type ValuesOf = (name: string) => Promise<readonly Suggestion[] | undefined>;

/**
 * Returns what the last word may become.
 * @param words after the command's name; the last one is incomplete and may be empty
 * @returns null where the shell should suggest files
 */
export async function suggest(
  program: Command,
  words: readonly string[],
  valuesOf: ValuesOf,
): Promise<Suggestion[] | null> {
  // bash passes `--brand=star` as three words.
  const parts = words.filter((word, i) => word !== '=' || i === words.length - 1);
  const last = parts.at(-1) === '=' ? '' : (parts.at(-1) ?? '');
  const { command, operands, pending, used } = walk(program, parts.slice(0, -1));
  const fitting = (all: readonly Suggestion[] | undefined, before = '', typed = last) =>
    all
      ? all
          .filter(({ value }) => value.startsWith(typed))
          .map(({ value, ...rest }) => ({ value: before + value, ...rest }))
      : null;
  if (pending) return fitting(await valuesOfOption(pending, valuesOf));
  const [, flag, typed] = /^(--[\w-]+)=(.*)$/.exec(last) ?? [];
  const option = flag === undefined ? undefined : optionOf(command, flag);
  if (option) return fitting(await valuesOfOption(option, valuesOf), `${flag}=`, typed);
  if (last.startsWith('-')) {
    const open = command.options.filter((one) => !used.has(one) && one.long && !one.hidden);
    return fitting([...open, HELP].map(({ long, description }) => noted(long!, description)));
  }
  if (command.commands.length > 0) {
    return fitting(command.commands.map((sub) => noted(sub.name(), sub.description())));
  }
  const declared = command.registeredArguments;
  const operand = declared[operands] ?? (declared.at(-1)?.variadic ? declared.at(-1) : undefined);
  if (!operand) return [];
  return fitting(
    operand.argChoices?.map((value) => ({ value })) ?? (await valuesOf(operand.name())),
  );
}

const HELP = { long: '--help', description: 'show help' };
const noted = (value: string, note: string): Suggestion => ({ value, note });

/** Follows the complete words to the command that they call. */
function walk(program: Command, words: readonly string[]) {
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
