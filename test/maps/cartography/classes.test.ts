import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CLASS_METHODS,
  classify,
  classLabels,
  colorsOfClasses,
  histogramOf,
  NATIONAL_CLASSES,
  scoreClass,
  styleBreaks,
} from '../../../src/maps/cartography/classes.ts';

const anyScores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 400 });
/** Like the ZIP codes of Los Angeles: most scores are among the highest of the country */
const high = [40, 61, 78, 80, 82, 84, 85, 88, 90, 91, 93, 94, 96, 98, 99];

describe('score classes', () => {
  it('include their lower bounds', () => {
    const { breaks } = NATIONAL_CLASSES;
    expect([0, 19, 20, 59, 80, 100].map((score) => scoreClass(score, breaks))).toEqual([
      0, 0, 1, 2, 4, 4,
    ]);
    expect(scoreClass(null, breaks)).toBeNull();
  });

  it('are the same fifths on every map, unless a method divides the scores of the map', () => {
    expect(classLabels(classify('national', high))[4]).toBe('80–100');
    expect(classLabels(classify('quantiles', high))).toEqual([
      '40–79',
      '80–84',
      '85–90',
      '91–95',
      '96–99',
    ]);
    expect(classLabels(classify('equal', high))).toEqual([
      '40–51',
      '52–63',
      '64–75',
      '76–87',
      '88–99',
    ]);
    expect(classify('quantiles', [])).toEqual(NATIONAL_CLASSES);
  });

  it('put every score into one class and one bin, whatever the scores', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CLASS_METHODS), anyScores, (method, scores) => {
        const classes = classify(method, scores);
        const labels = classLabels(classes);
        expect(new Set(labels).size).toBe(labels.length);
        const colors = colorsOfClasses(labels.length);
        const steps = styleBreaks(classes);
        for (const score of scores) {
          const shown = scoreClass(score, steps)!;
          expect(shown).toBe(colors[scoreClass(score, classes.breaks)!]);
          const [from, to = from] = labels[colors.indexOf(shown)]!.split('–').map(Number);
          expect(score >= from! && score <= to!).toBe(true);
        }
        expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
        const bins = histogramOf(classes, scores);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(scores.length);
        expect(bins.length).toBeLessThanOrEqual(24);
      }),
    );
  });

  it('contain equal numbers of ZIP codes if they are quantiles', () => {
    const scores = Array.from({ length: 100 }, (_, i) => i);
    const { breaks } = classify('quantiles', scores);
    const counts = [0, 0, 0, 0, 0];
    for (const score of scores) counts[scoreClass(score, breaks)!]! += 1;
    expect(counts).toEqual([20, 20, 20, 20, 20]);
  });
});
