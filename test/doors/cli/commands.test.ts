/** Commands follow from what operations and tools declare. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operation } from '../../../src/base/contract/operation.ts';
import type { Command } from '../../../src/doors/cli/territory/command.ts';
import { COMMANDS, FORMATS } from '../../../src/doors/cli/territory/commands.ts';
import { declaredOf } from '../../../src/doors/cli/territory/declared.ts';
import { describe as describeAll } from '../../../src/doors/cli/territory/describe.ts';
import { optionsOf, usageOf } from '../../../src/doors/cli/territory/input.ts';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { casesOf } from '../../support/thorough.ts';
import { fakeService, scripted, territory } from './territory.ts';

const commands = Object.values(COMMANDS)
  .flat()
  .filter((command): command is Command => 'calls' in command);

describe('a command', () => {
  it.each(casesOf(commands))('names only what the service declares: $usage', (command) => {
    const fields = command.calls.flatMap((id) => Object.keys(declaredOf(id).fields));
    const named = [...Object.keys(command.names ?? {}), ...(command.hides ?? [])];
    expect(named.filter((name) => !fields.includes(name))).toEqual([]);
    const options = optionsOf(command).map(({ long }) => long!.replace(/^--(no-)?/, ''));
    const texts = Object.keys({ ...command.texts, ...command.read });
    expect(texts.filter((name) => !options.includes(name))).toEqual([]);
    expect(new Set(options).size).toBe(options.length);
  });

  it('formats only answers of operations and tools', () => {
    for (const id of Object.keys(FORMATS)) expect(declaredOf(id).summary).not.toBe('');
  });

  it('exists for every tool', () => {
    const called = new Set(commands.flatMap(({ calls }) => calls));
    const rest = TOOLS.map(({ name }) => name).filter((name) => !called.has(name));
    // REST has the same facts.
    expect(rest).toEqual(['service_get_capabilities']);
  });

  it.each([
    ['apply', 'apply <brand> <zips...>'],
    ['best', 'best <metro> <vertical>'],
    ['data restore', 'data restore <data-set> <upload>'],
    ['map-context', 'map-context'],
    ['health [brand]', 'health [brand]'],
  ])('has the required fields as operands: %s', (usage, whole) => {
    expect(usageOf(commands.find((command) => command.usage === usage)!)).toBe(whole);
  });

  it.each([
    ['plan-shares Dallas', '/agent/plans/Dallas/shares', 'plans shares'],
    ['plan-export Dallas --format kml', '/agent/plans/Dallas/boundaries.kml', 'plans export'],
    ['plans', '/agent/plans', 'plans list'],
    ['plans Dallas', '/agent/plans/Dallas', 'plans show'],
  ])('works by its earlier name, and says the present one: %s', async (words, path, name) => {
    const service = await fakeService(scripted({ status: 404, body: { error: 'No.' } }));
    const env = { TERRITORY_API_KEY: 'svc_live_x' };
    const { stderr } = await territory(service, words, { env });
    expect(service.requests.map(({ url }) => url)).toEqual([path]);
    expect(stderr).toContain(`This command is now: territory ${name}\n`);
  });
});

describe('the description of an operation', () => {
  const op = operation({
    id: 'paintShed',
    method: 'post',
    path: '/sheds/{shed}/paint',
    tag: 'Sheds',
    summary: 'Paint a shed',
    description: 'Paints it.',
    auth: 'bearer-or-session',
    needs: 'writer',
    params: z.object({ shed: z.string().describe('Name of the shed.') }),
    query: z.object({ totals: z.enum(['true', 'false']).default('true') }),
    body: z.object({
      color: z.enum(['red', 'blue']).default('red').describe('Its `color`'),
      zips: z.array(z.string().regex(/^[0-9]{5}$/)),
      limits: z.object({ coats: z.int().min(1).max(9) }).optional(),
      notes: z.array(z.object({ text: z.string() })).optional(),
      dry: z.boolean().optional().describe('true waits'),
    }),
    answers: {
      200: {
        description: 'Painted',
        schema: z.object({ coats: z.int().nullable(), tone: z.enum(['matt']).optional() }),
      },
    },
    handle: async () => ({ status: 200, body: { coats: 1 } }),
  });
  const { declared, answers } = describeAll([op], []);

  it('has fields with their place, kind, and text', () => {
    expect(declared).toEqual({
      paintShed: {
        summary: 'Paint a shed',
        method: 'post',
        path: '/sheds/{shed}/paint',
        types: ['application/json'],
        needsKey: true,
        writes: true,
        fields: {
          shed: { in: 'path', type: 'text', required: true, text: 'name of the shed' },
          totals: { in: 'query', type: 'flag', on: true, text: '' },
          color: {
            in: 'body',
            type: 'text',
            values: ['red', 'blue'],
            text: 'its color (red, blue) (default: red)',
          },
          zips: { in: 'body', type: 'text', list: true, zip: true, required: true, text: '' },
          coats: { in: 'body', type: 'number', within: 'limits', max: 9, text: '1 to 9' },
          dry: { in: 'body', type: 'flag', text: 'waits' },
        },
      },
    });
  });

  it('keeps of an answer what tells whether it can be shown', () => {
    expect(answers).toEqual({
      paintShed: {
        type: 'object',
        properties: {
          coats: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
          tone: { type: 'string' },
        },
        required: ['coats'],
      },
    });
  });
});
