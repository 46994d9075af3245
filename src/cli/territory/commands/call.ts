/** `territory call`: any tool, with any input. */
import { Option } from 'commander';
import type { Command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { toolCall } from '../tool-call.ts';

const PREFIX = 'service_';

export const call: Command = {
  usage: 'call <tool>',
  summary: 'any tool by its name, with any input',
  options: [
    new Option('--args <json>', 'its input: an object, @file, or - for standard input').default(
      '{}',
    ),
    new Option('--confirm', 'the same as "confirm": true in the input'),
  ],
  examples: [
    'call service_list_brands',
    `call score_territory --args '{"metro":"dallas-tx","vertical":"hvac","limit":5}' --json`,
    'call service_apply_territory --args @input.json --confirm',
  ],
  call: async ([tool], { args, confirm }, given) => {
    const input = inputOf(await given(args as string));
    const name = tool!.startsWith(PREFIX) ? tool! : PREFIX + tool!;
    return toolCall(name, { ...input, ...(confirm && { confirm }) });
  },
};

function inputOf(text: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(text);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
      return input as Record<string, unknown>;
    }
  } catch {
    // Told below, as any other input that is none.
  }
  throw new Failure(EXIT.usage, '--args is no JSON object, such as {"brand":"lone-star-roofing"}.');
}
