/** Small designs and the lengths of their shortest borders, which HiGHS proved (`exact.ts`). */
import { readFileSync, writeFileSync } from 'node:fs';
import type { DesignInput } from '../../../src/territories/design/input.ts';
import { solve } from '../../../src/territories/design/solve.ts';
import { shortestBorders } from './exact.ts';
import { randomMap } from './random-map.ts';

export interface Optimum {
  zips: number;
  seed: number;
  count: number;
  tolerance: number;
  /** Length of the shortest borders in kilometers */
  km: number;
}

const FILE = new URL('../../../fixtures/design/optima.json', import.meta.url);

export const readOptima = (): Optimum[] => JSON.parse(readFileSync(FILE, 'utf8')) as Optimum[];

/** Proves as many optima as are missing. */
export async function proveOptima(cases: number): Promise<void> {
  const optima = readOptima();
  for (let i = optima.length + 1; i <= cases; i++) {
    const one = { zips: 25 + (i % 16), seed: 1000 + i, count: 2 + (i % 3) };
    const design = { ...one, tolerance: 0.05 + 0.05 * (i % 2) };
    const input = inputOf(design);
    // A longer known design only takes more time.
    const knownKm = solve({ ...input, effort: 0.2 }).objective.borderKm;
    const km = await shortestBorders(input, { ...design, knownKm });
    optima.push({ ...design, km: Number(km.toFixed(4)) });
  }
  const lines = optima.map((one) => `  ${JSON.stringify(one)}`);
  writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`);
}

export const inputOf = ({ zips, seed, count, tolerance }: Omit<Optimum, 'km'>): DesignInput => ({
  ...randomMap(zips, seed),
  territories: { count },
  tolerance,
});
