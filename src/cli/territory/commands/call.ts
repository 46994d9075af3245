import { Option } from 'commander';
import type { Command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { isRecord } from '../json.ts';
import { toolCall } from '../tool-call.ts';

const PREFIX = 'service_';

export const call: Command = {
  usage: 'call <tool>',
  summary: 'call any tool by name with a JSON input',
  options: [
    new Option('--args <json>', 'input: a JSON object, @file, or - for standard input').default(
      '{}',
    ),
    new Option('--confirm', 'same as "confirm": true in the input'),
  ],
  examples: [
    'call service_list_brands',
    `call score_territory --args '{"metro":"dallas-tx","vertical":"hvac","limit":5}' --json`,
    'call service_apply_territory --args @input.json --confirm',
  ],
  call: async ([tool], { args, confirm }, readArgument) => {
    const input = parseInput(await readArgument(args as string));
    const name = tool!.startsWith(PREFIX) ? tool! : PREFIX + tool!;
    return toolCall(name, { ...input, ...(confirm && { confirm }) });
  },
};

function parseInput(text: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(text);
    if (isRecord(input)) return input;
  } catch {
    // Handled below, like JSON that isn't an object.
  }
  throw new Failure(
    EXIT.usage,
    '--args is not a JSON object. Example: {"brand":"lone-star-roofing"}',
  );
}
