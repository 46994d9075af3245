import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/doors/tools/tool.ts';
import { callTool, type CallParts } from '../../../../src/doors/tools/call-tool.ts';
import { metro, state, vertical } from '../../../../src/doors/tools/support/fields.ts';
import { TOOLS } from '../../../../src/doors/tools/tools.ts';
import { launchedMetros } from '../../../../src/data/market/metros.ts';
import { VERTICALS } from '../../../../src/data/scoring/verticals.ts';
import { states } from '../../../../src/base/geodata/states.ts';

const toolNamed = (name: string): Tool => TOOLS.find((tool) => tool.name === name)!;

describe('an input field', () => {
  it.each(VERTICALS.map(({ slug, label }) => [slug, label] as const))(
    'accepts the vertical %s as "%s"',
    (slug, label) => {
      for (const text of [slug, label, ` ${label.toUpperCase()} `]) {
        expect(vertical.parse(text)).toBe(slug);
      }
    },
  );

  it.each(launchedMetros().map(({ slug, label, fullName }) => [slug, label, fullName] as const))(
    'accepts the metro %s as "%s" and "%s"',
    (slug, label, fullName) => {
      const city = label.split(',')[0]!;
      for (const text of [slug, label, fullName, city, label.toLowerCase()]) {
        expect(metro.parse(text)).toBe(slug);
      }
    },
  );

  it('accepts a state by code or name', () => {
    for (const { usps, name } of states()) {
      for (const text of [usps, name, usps.toLowerCase()]) expect(state.parse(text)).toBe(usps);
    }
  });

  it('keeps an unknown metro for the tool to reject, and rejects unknown states and verticals', () => {
    expect(metro.parse('Gotham, NJ')).toBe('Gotham, NJ');
    expect(metro.parse('San')).toBe('San');
    expect(state.safeParse('Ontario').error!.issues[0]!.message).toContain('such as TX or Texas');
    expect(vertical.safeParse('Lemonade').error!.issues[0]!.message).toContain('one of roofing');
    expect(vertical.safeParse(7).success).toBe(false);
  });
});

describe('invalid ZIP codes', () => {
  const errorText = async (name: string, input: Record<string, unknown>) =>
    (await callTool(toolNamed(name), input, {} as CallParts)).text;

  it('are named in the error', async () => {
    const zips = ['75201', '75204-1234', null];
    expect(await errorText('service_score_territory', { vertical: 'hvac', zips })).toBe(
      'Invalid input for service_score_territory: ' +
        'zips.1: "75204-1234" is not a string of five digits, such as "75201"; ' +
        'zips.2: null is not a string of five digits, such as "75201".',
    );
  });

  it('are shortened in the error if they are many or long', async () => {
    const zips = Array.from({ length: 400 }, () => 'Dallas '.repeat(100));
    const text = await errorText('service_apply_territory', { brand: 'star', zips });
    expect(text).toContain('and 392 more');
    expect(text.length).toBeLessThan(1000);
  });

  it('include numbers, which would lose leading zeros', async () => {
    expect(await errorText('service_get_zip_profile', { zip: 2134 })).toContain(
      'zip: 2134 is not a string of five digits, such as "75201".',
    );
  });
});
