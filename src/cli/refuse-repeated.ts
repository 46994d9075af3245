/** Refuses an option that is given twice, unless it collects its values. Commander would use the last one. */
import type { Command } from 'commander';

/** Applies to the options of a command. Call it after they are added. */
export function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || option.variadic) continue;
    let given = false;
    command.on(`option:${option.name()}`, () => {
      const collects = typeof command.getOptionValue(option.attributeName()) === 'object';
      if (given && !collects)
        command.error(`error: option '${option.flags}' is given twice. Send it once.`);
      given = true;
    });
  }
}
