import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src/agent/tool.ts';
import { callTool, type CallParts } from '../../src/agent/call-tool.ts';
import { metro, state, vertical } from '../../src/agent/fields.ts';
import { TOOLS } from '../../src/agent/tools.ts';
import { launchedMetros } from '../../src/market/metros.ts';
import { VERTICALS } from '../../src/scoring/verticals.ts';
import { states } from '../../src/states.ts';

const toolNamed = (name: string): Tool => TOOLS.find((tool) => tool.name === name)!;

describe('what tools are given is taken as people and our own answers write it', () => {
  it.each(VERTICALS.map(({ slug, label }) => [slug, label] as const))(
    'the vertical %s as "%s" too',
    (slug, label) => {
      for (const text of [slug, label, ` ${label.toUpperCase()} `]) {
        expect(vertical.parse(text)).toBe(slug);
      }
    },
  );

  it.each(launchedMetros().map(({ slug, label, fullName }) => [slug, label, fullName] as const))(
    'the metro %s as "%s" and "%s" too',
    (slug, label, fullName) => {
      const city = label.split(',')[0]!;
      for (const text of [slug, label, fullName, city, label.toLowerCase()]) {
        expect(metro.parse(text)).toBe(slug);
      }
    },
  );

  it('a state by its name too', () => {
    for (const { usps, name } of states()) {
      for (const text of [usps, name, usps.toLowerCase()]) expect(state.parse(text)).toBe(usps);
    }
  });

  it('and what is none of these is told of, here or by who knows them', () => {
    expect(metro.parse('Gotham, NJ')).toBe('Gotham, NJ');
    expect(metro.parse('San')).toBe('San');
    expect(state.safeParse('Ontario').error!.issues[0]!.message).toContain('such as TX or Texas');
    expect(vertical.safeParse('Lemonade').error!.issues[0]!.message).toContain('one of roofing');
    expect(vertical.safeParse(7).success).toBe(false);
  });
});

describe('invalid ZIP codes', () => {
  const told = async (name: string, input: Record<string, unknown>) =>
    (await callTool(toolNamed(name), input, {} as CallParts)).text;

  it('are told by what was given', async () => {
    const zips = ['75201', '75204-1234', null];
    expect(await told('service_score_territory', { vertical: 'hvac', zips })).toBe(
      'Invalid input for service_score_territory: ' +
        'zips.1: "75204-1234" is not a string of five digits, such as "75201"; ' +
        'zips.2: null is not a string of five digits, such as "75201".',
    );
  });

  it('are told in few words, however many and long they are', async () => {
    const zips = Array.from({ length: 400 }, () => 'Dallas '.repeat(100));
    const text = await told('service_apply_territory', { brand: 'star', zips });
    expect(text).toContain('and 392 more');
    expect(text.length).toBeLessThan(1000);
  });

  it('that are numbers would lose their zeros, and are asked for as texts', async () => {
    expect(await told('service_get_zip_profile', { zip: 2134 })).toContain(
      'zip: 2134 is not a string of five digits, such as "75201".',
    );
  });
});
