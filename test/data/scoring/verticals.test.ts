import { describe, expect, test } from 'vitest';
import type { Demographics } from '../../../src/data/ingest/demographics.ts';
import { scoreZips } from '../../../src/data/scoring/score.ts';
import { SIGNALS, type SignalId } from '../../../src/data/scoring/signals.ts';
import { VERTICALS, type VerticalSlug } from '../../../src/data/scoring/verticals.ts';
import { AS_OF, homesBuiltIn, zip } from './zips.ts';

/** '+' if the change ranks a ZIP code above its twin, '-' if below, '0' if they tie. */
function effect(
  vertical: VerticalSlug,
  twin: Partial<Demographics>,
  changed: Partial<Demographics>,
): string {
  const { score } = scoreZips([zip(twin), zip(changed)], AS_OF)[vertical];
  return score[1] > score[0] ? '+' : score[1] < score[0] ? '-' : '0';
}

describe('each vertical', () => {
  test('is one of the eleven launched, in order', () => {
    expect(VERTICALS.map(({ slug, key, label }) => `${slug} ${key} ${label}`)).toEqual([
      'roofing roofing Roofing',
      'hvac hvac HVAC',
      'plumbing plumbing Plumbing',
      'electrical electrical Electrical',
      'windows-siding windows_siding Windows & Siding',
      'gutters gutters Gutters',
      'landscaping landscaping Landscaping',
      'pest-control pest_control Pest Control',
      'professional-services professional_services Professional Services',
      'real-estate real_estate Real Estate',
      'moving moving Moving',
    ]);
  });

  test.each(VERTICALS)('$slug has weights that sum to 1, each with a reason', ({ inputs }) => {
    expect(inputs.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
    for (const { weight, reason } of inputs) {
      expect(weight).toBeGreaterThan(0);
      expect(reason).toMatch(/^[A-Z].{15,}\.$/);
    }
    expect(new Set(inputs.map(({ signal }) => signal)).size).toBe(inputs.length);
  });

  test.each(VERTICALS)('$slug has one volume signal with a weight of 0.2 to 0.4', ({ inputs }) => {
    const volume = inputs.filter(({ signal }) => SIGNALS[signal].kind === 'volume');
    expect(volume).toHaveLength(1);
    expect(volume[0].weight).toBeGreaterThanOrEqual(0.2);
    expect(volume[0].weight).toBeLessThanOrEqual(0.4);
  });
});

/** Two ZIP codes per signal that are equal in all other signals of the verticals that use it. */
const LOW_AND_HIGH: Record<SignalId, [Partial<Demographics>, Partial<Demographics>]> = {
  householdsTotal: [{ householdsTotal: 2_500 }, { householdsTotal: 9_000 }],
  ownerOccupiedHouseholds: [{ ownerOccupiedHouseholds: 10 }, { ownerOccupiedHouseholds: 3_000 }],
  ownerOccupiedPct: [{ ownerOccupiedPct: 20 }, { ownerOccupiedPct: 80 }],
  medianHouseholdIncome: [{ medianHouseholdIncome: 30_000 }, { medianHouseholdIncome: 120_000 }],
  medianHomeValue: [{ medianHomeValue: 90_000 }, { medianHomeValue: 900_000 }],
  singleFamilyDetachedPct: [{ singleFamilyDetachedPct: 5 }, { singleFamilyDetachedPct: 95 }],
  medianAge: [{ medianAge: 32 }, { medianAge: 48 }],
  medianAgeNear30To50: [{ medianAge: 70 }, { medianAge: 48 }],
  homesBuiltBefore1980: homesBuiltInEither(2020, 1960),
  homesAgedUpTo10: homesBuiltInEither(1960, 2020),
  homesAged12To25: homesBuiltInEither(2020, 2000),
  homesAged15To30: homesBuiltInEither(2020, 2000),
  homesAged20To50: homesBuiltInEither(2020, 1990),
  homesAged20Plus: homesBuiltInEither(2020, 1990),
  homesAged26Plus: homesBuiltInEither(2020, 1960),
  homesAged40Plus: homesBuiltInEither(2020, 1960),
};

function homesBuiltInEither(
  low: number,
  high: number,
): [Partial<Demographics>, Partial<Demographics>] {
  return [{ homesByDecadeBuilt: homesBuiltIn(low) }, { homesByDecadeBuilt: homesBuiltIn(high) }];
}

describe('every declared input affects its vertical in the declared direction', () => {
  const inputs = VERTICALS.flatMap(({ slug, inputs }) =>
    inputs.map(({ signal, direction }) => ({ slug, signal, direction })),
  );
  test.each(inputs)('$slug fits better where $signal is $direction', (input) => {
    const [low, high] = LOW_AND_HIGH[input.signal];
    expect(effect(input.slug, low, high)).toBe(input.direction === 'higher' ? '+' : '-');
  });

  test('every signal is used by at least one vertical', () => {
    expect(new Set(inputs.map(({ signal }) => signal))).toEqual(new Set(Object.keys(SIGNALS)));
  });
});

/**
 * The effect of each change on each vertical: raises (+), lowers (-), or none (0). Written
 * independently of the weights.
 */
const EFFECTS: Record<VerticalSlug, string> = {
  //                    owners, households, income, value, detached, age, 1990s homes, 1960s homes
  roofing: '+ + + + + + + +',
  hvac: '+ + + + + + + +',
  plumbing: '+ + + + + + 0 +',
  electrical: '+ + + + + 0 0 +',
  'windows-siding': '+ + + + + + + 0',
  gutters: '+ + + + + + + +',
  landscaping: '+ + + + + + 0 0',
  'pest-control': '+ + + + + 0 + +',
  'professional-services': '0 + + + 0 0 0 0',
  'real-estate': '+ + + + + 0 0 0',
  moving: '- + + 0 - - - -',
};

describe('effects on each vertical', () => {
  test.each(Object.entries(EFFECTS))('%s: %s', (slug, effects) => {
    const vertical = slug as VerticalSlug;
    const newHomes = { homesByDecadeBuilt: homesBuiltIn(2020) };
    expect(
      [
        effect(vertical, {}, { ownerOccupiedHouseholds: 3_200, ownerOccupiedPct: 80 }),
        effect(vertical, {}, { householdsTotal: 8_000, ownerOccupiedHouseholds: 4_800 }),
        effect(vertical, {}, { medianHouseholdIncome: 120_000 }),
        effect(vertical, {}, { medianHomeValue: 900_000 }),
        effect(vertical, {}, { singleFamilyDetachedPct: 95 }),
        effect(vertical, {}, { medianAge: 48 }),
        effect(vertical, newHomes, { homesByDecadeBuilt: homesBuiltIn(1990) }),
        effect(vertical, newHomes, { homesByDecadeBuilt: homesBuiltIn(1960) }),
      ].join(' '),
    ).toBe(effects);
  });

  test('homes of the 1990s need HVAC more than homes of the 2010s', () => {
    const [from2010s, from1990s] = homesBuiltInEither(2010, 1990);
    expect(effect('hvac', from2010s, from1990s)).toBe('+');
  });

  test('real estate prefers a median age of 40 to both 22 and 68', () => {
    expect(effect('real-estate', { medianAge: 22 }, { medianAge: 40 })).toBe('+');
    expect(effect('real-estate', { medianAge: 68 }, { medianAge: 40 })).toBe('+');
  });

  test('a large ZIP code loses to a small one that is more likely to buy', () => {
    const big = { householdsTotal: 30_000, ownerOccupiedHouseholds: 4_000, ownerOccupiedPct: 13 };
    const likely = { medianHouseholdIncome: 120_000, singleFamilyDetachedPct: 95 };
    expect(effect('roofing', big, likely)).toBe('+');
  });
});
