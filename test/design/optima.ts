/** Small designs and the lengths of their shortest borders, which HiGHS proved (`exact.ts`). */
import { readFileSync, writeFileSync } from 'node:fs';
import type { DesignInput } from '../../src/design/input.ts';
import { shortestBorders } from './exact.ts';
import { randomMap } from './random-map.ts';

export interface Optimum {
  zips: number;
  seed: number;
  count: number;
  tolerance: number;
  /** Length of the shortest borders in kilometers; null if none was proven within a minute */
  km: number | null;
}

const FILE = new URL('../../fixtures/design/optima.json', import.meta.url);

export const readOptima = (): Optimum[] => JSON.parse(readFileSync(FILE, 'utf8')) as Optimum[];

export const isProven = (one: Optimum): one is Optimum & { km: number } => one.km !== null;

/** Proves more optima, until the file has as many. Each is written at once, since all take an hour. */
export async function proveOptima(cases: number): Promise<void> {
  const optima = readOptima();
  while (optima.filter(isProven).length < cases) {
    const i = optima.length + 1;
    const one = { zips: 25 + (i % 16), seed: 1000 + i, count: 2 + (i % 3) };
    const optimum = { ...one, tolerance: 0.05 + 0.05 * (i % 2), km: null };
    const km = await shortestBorders(inputOf(optimum), optimum);
    optima.push({ ...optimum, km: km && Number(km.toFixed(4)) });
    const lines = optima.map((known) => `  ${JSON.stringify(known)}`);
    writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`);
  }
}

export const inputOf = ({ zips, seed, count, tolerance }: Optimum): DesignInput => ({
  ...randomMap(zips, seed),
  territories: { count },
  tolerance,
});
