import {
  differenceCiede2000,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  parse,
  type Rgb,
} from 'culori';
import { describe, expect, it } from 'vitest';
import { paletteOf } from '../../../src/data/basemap/palette.ts';
import { blend } from '../../../src/data/basemap/label-inks.ts';
import { withStreets } from '../../../src/data/basemap/streets-style.ts';
import { loadStyle, paletteValues, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { classify, NATIONAL_CLASSES } from '../../../src/maps/cartography/classes.ts';
import {
  blendWithLand,
  scoreLegend,
  statusLegend,
} from '../../../src/maps/cartography/furniture/legends.ts';
import { contrast } from '../../../src/render/contrast.ts';
import { scene } from '../../render/pictures.ts';

const light = loadStyle('light');
const scores = [...Array.from({ length: 20 }, (_, i) => 5 * i), null];

describe('the legend of scores', () => {
  it('lists classes from low to high, if the style has a palette', () => {
    const legend = scoreLegend(light, 'Demand score')!;
    expect(legend.classes.map(({ label }) => label)).toEqual([
      '0–19',
      '20–39',
      '40–59',
      '60–79',
      '80–100',
    ]);
    expect(scoreLegend(scene([]).style, 'Demand score')).toBeNull();
  });

  it('names the method, counts ZIP codes, and lists only what the map shows', () => {
    const classes = classify('quantiles', [50, 60]);
    const all = scoreLegend(light, '', { classes: NATIONAL_CLASSES, scores, outside: 'Outside' })!;
    expect(all.method).toBe('National fifths');
    expect([all.noData?.label, all.outside?.label]).toEqual(['No data', 'Outside']);
    expect(all.histogram?.map(({ count }) => count)).toEqual([4, 4, 4, 4, 4]);
    expect(all.histogram?.map(({ color }) => color)).toEqual(all.classes.map(({ color }) => color));
    const few = scoreLegend(light, '', { classes, scores: [50, 60] })!;
    expect(few.method).toBe('Quantiles of this map');
    expect([few.noData, few.outside, few.histogram]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the legend of statuses', () => {
  it('gives every status and flag its own pattern or edge', () => {
    const all = new Set(['live', 'pending', 'removed'] as const);
    const { classes } = statusLegend(light, '', all, ['isolated', 'shared'])!;
    expect(classes.map(({ label, mark }) => [label, mark])).toEqual([
      ['Isolated', 'dotted-edge'],
      ['Shared with another brand', 'solid-edge'],
      ['Removed', 'broken-edge'],
      ['Pending review', 'hatch'],
      ['Live', undefined],
    ]);
  });

  it('names the days of what changes plan', () => {
    const days = { live: new Set(['2027-01-01']), pending: new Set(['2027-01-01', '2027-02-01']) };
    const { classes } = statusLegend(light, '', new Set(['live'] as const), [], days)!;
    expect(classes.map(({ label, mark }) => [label, mark])).toEqual([
      ['Leaves on January 1, 2027', 'falling'],
      ['Planned later, on 2 days', 'falling'],
      ['Live', undefined],
    ]);
  });
});

/** Colors as seen without one type of cone cells: Machado et al., 2009, at full severity */
const READERS: Record<string, (color: Rgb) => Rgb> = {
  'full color vision': (color) => color,
  deuteranopia: filterDeficiencyDeuter(1) as (color: Rgb) => Rgb,
  protanopia: filterDeficiencyProt(1) as (color: Rgb) => Rgb,
  tritanopia: filterDeficiencyTrit(1) as (color: Rgb) => Rgb,
};

describe.each(STYLE_NAMES)('the colors of the style %s', (name) => {
  const style = loadStyle(name);
  const palette = paletteOf(style)!;
  const { land, water, territories } = palette;
  const whiteSpace = Object.values(palette.whiteSpace).map((color) => ({
    color: blendWithLand(color, palette),
  }));
  const changes = Object.values(palette.changes).map((color) => ({
    color: blendWithLand(color, palette),
  }));
  const { classes, noData, outside } = scoreLegend(style, '', {
    classes: NATIONAL_CLASSES,
    scores: [null],
    outside: 'Outside',
  })!;
  const statuses = statusLegend(style, '', new Set(['live', 'pending', 'removed']))!.classes;

  it.each(Object.entries(READERS))('differ by 10 in CIEDE2000 for %s', (_, seenBy) => {
    // Land that no market covers looks like any other land.
    expect(outside!.color).toBe(land);
    const named = territories.map((color) => ({ color }));
    // With deficient color vision, patterns tell territories apart, too.
    const groups = [
      [...classes, noData!],
      statuses,
      whiteSpace,
      changes,
      ...(seenBy === READERS['full color vision'] ? [named] : []),
    ];
    for (const shown of groups) {
      const colors = [land, water, ...shown.map(({ color }) => color)];
      for (const [i, a] of colors.entries()) {
        for (const b of colors.slice(i + 1)) {
          const difference = differenceCiede2000()(seenBy(rgb(a)), seenBy(rgb(b)));
          expect(difference, `${a} and ${b}`).toBeGreaterThanOrEqual(10);
        }
      }
    }
  });
});

describe.each(STYLE_NAMES)('the colors of the style %s over streets', (name) => {
  const style = loadStyle(name);
  const { land, water, scores, statuses, whiteSpace, changes, territories } = paletteOf(style)!;
  const { park, wood, built } = paletteValues(name).streetColors as Record<string, string>;
  const grounds = [land, park!, wood!, built!];
  const groups: [string, readonly string[]][] = [
    ['classes of scores', [...scores.colors, scores.noData]],
    ['statuses', [statuses.live, statuses.pending, statuses.removed]],
    ['white space', Object.values(whiteSpace)],
    ['changes', Object.values(changes)],
    ['territories', territories],
  ];

  it.each(groups)('differ by 10, also where one lies over a park: %s', (group, colors) => {
    // With deficient color vision, patterns tell territories apart, too.
    const readers = Object.values(READERS).slice(0, group === 'territories' ? 1 : undefined);
    for (const seenBy of readers) {
      const shown = colors.map((color) =>
        grounds.map((ground) => seenBy(rgb(blend(color, ground, scores.opacity)))),
      );
      for (const [i, variants] of shown.entries()) {
        const others = [...shown.slice(i + 1).flat(), seenBy(rgb(water))];
        for (const a of variants) {
          for (const b of others) {
            expect(differenceCiede2000()(a, b), `${colors[i]}`).toBeGreaterThanOrEqual(10);
          }
        }
      }
    }
  });

  it('keep the contrast of ZIP codes at 4.5:1', () => {
    const inked = withStreets(style, name).layers.find(({ id }) => id === 'zip-names')!;
    const inks = colorsIn((inked.paint as Record<string, unknown>)['text-color']);
    const halos = colorsIn((inked.paint as Record<string, unknown>)['text-halo-color']);
    expect(inks.length).toBe(halos.length);
    for (const [i, ink] of inks.entries()) {
      expect(contrast(ink, halos[i]!)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** The colors in an expression, in order */
const colorsIn = (part: unknown): string[] =>
  Array.isArray(part)
    ? part.flatMap(colorsIn)
    : typeof part === 'string' && /^(#|rgb)/.test(part)
      ? [part]
      : [];

const rgb = (color: string) => parse(color) as Rgb;
