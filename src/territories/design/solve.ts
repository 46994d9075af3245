/** Solves a design: prepares it, searches, and reports the result. See README.md. */
import { usualEffort } from './effort.ts';
import type { DesignControls, DesignInput, DesignResult } from './input.ts';
import { Pace } from './pace.ts';
import { polish } from './polish.ts';
import { prepare } from './prepare.ts';
import { randomFrom } from './random.ts';
import { report } from './report.ts';
import { Search } from './search.ts';

/** Number of looks at a possible move that a core of 2020 makes in about a second */
const LOOKS_PER_EFFORT = 30e6;

/** Solves a design. @throws InvalidDesign */
export function solve(input: DesignInput, controls: DesignControls = {}): DesignResult {
  const prepared = prepare(input);
  const { problem, start } = prepared;
  const effort = input.effort ?? usualEffort(problem.nodes);
  const pace = new Pace(effort * LOOKS_PER_EFFORT, controls);
  const random = randomFrom(input.seed ?? 1);
  const resultOf = (part: Int32Array, ended: DesignResult['ended']) => {
    const assignment = prepared.nodeOf.map((node) =>
      node < 0 || part[node] === problem.territories ? -1 : part[node]!,
    );
    return report(input, prepared, assignment, ended);
  };
  const { onProgress } = controls;
  const search = new Search(
    problem,
    start,
    random,
    pace,
    onProgress && ((progress, best) => onProgress(progress, () => resultOf(best, 'canceled'))),
  );
  search.run();
  polish(search);
  return resultOf(search.partition.part, pace.ended);
}
