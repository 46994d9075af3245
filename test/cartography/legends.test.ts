import { describe, expect, it } from 'vitest';
import { loadStyle } from '../../src/basemap/styles.ts';
import { scoreClass, scoreLegend } from '../../src/cartography/legends.ts';
import { scene } from '../render/pictures.ts';

describe('score classes', () => {
  it('include their lower bounds', () => {
    const breaks = [20, 40, 60, 80];
    expect([0, 19.9, 20, 59, 80, 100].map((score) => scoreClass(score, breaks))).toEqual([
      0, 0, 1, 2, 4, 4,
    ]);
    expect(scoreClass(null, breaks)).toBeNull();
  });

  it('appear in the legend from low to high, if the style has a palette', () => {
    const legend = scoreLegend(loadStyle('light'), 'Demand score')!;
    expect(legend.classes.map(({ label }) => label)).toEqual([
      '0–19',
      '20–39',
      '40–59',
      '60–79',
      '80–100',
    ]);
    expect(scoreLegend(scene([]).style, 'Demand score')).toBeNull();
  });
});
