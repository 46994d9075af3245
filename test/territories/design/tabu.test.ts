import { expect, it } from 'vitest';
import { Partition } from '../../../src/territories/design/partition.ts';
import { prepare } from '../../../src/territories/design/prepare.ts';
import { randomFrom } from '../../../src/territories/design/random.ts';
import { solve } from '../../../src/territories/design/solve.ts';
import { TabuSearch } from '../../../src/territories/design/tabu.ts';
import { randomMap } from './random-map.ts';

// With these maps, a cycle of moves once seemed to improve the result a bit each time. With the first one, only the
// limit of moves ends the search; with the second one, it ends after 70 visits since tiny improvements don't count.
it.each([
  [53, 3500],
  [110, 200],
])('a search ends, even if rounding errors look like improvements: map %i', (seed, most) => {
  const input = { ...randomMap(12, seed), territories: { count: 2 }, tolerance: 1e-4 };
  const { problem } = prepare(input);
  const partition = new Partition(problem);
  partition.load(solve({ ...input, effort: 0.001 }).assignment);
  let visits = 0;
  new TabuSearch(partition).improve(
    {
      patience: 70,
      random: randomFrom(seed),
      nodes: Int32Array.from({ length: problem.nodes }, (_, i) => i),
      inRegion: Uint8Array.of(1, 1, 0),
      excessPrice: 50,
      finalPrice: 1e7,
      onVisited: () => {
        if (++visits > most) throw new Error('The search doesn’t end.');
      },
    },
    { looks: 0 },
  );
  expect(visits).toBeLessThanOrEqual(most);
});
