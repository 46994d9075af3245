/** Reads arguments as both commands do. */
import type { Command } from 'commander';

/** Splits ZIP codes in an argument or a file at commas, spaces, and line ends. The service checks them. */
export const splitZips = (text: string) => text.split(/[\s,]+/).filter((zip) => zip !== '');

/**
 * Refuses an option that is given twice, unless it collects its values. Commander would use the last one. Applies to the
 * options of a command. Call it after they are added.
 */
export function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || option.variadic) continue;
    let given = false;
    command.on(`option:${option.name()}`, () => {
      const value: unknown = command.getOptionValue(option.attributeName());
      const collects = typeof value === 'object' || /repeat/.test(option.description);
      if (given && !collects)
        command.error(`error: option '${option.flags}' is given twice. Send it once.`);
      given = true;
    });
  }
}
