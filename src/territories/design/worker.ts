/** Runs one design in a thread. See `run.ts`. */
import { serveJobs } from '../../base/workers/serve.ts';
import { InvalidDesign, type DesignResult } from './input.ts';
import type { DesignReport, DesignTask } from './run.ts';
import { solve } from './solve.ts';

/** Milliseconds between two proposals */
const PROPOSE_MS = 1000;

serveJobs<DesignTask, DesignResult, DesignReport, unknown>(
  async ({ input, cancel, timeMs, proposeAfterMs }, tell) => {
    let nextProposalAt = Date.now() + proposeAfterMs;
    // Nobody waits for the answer, so its failure is of no interest.
    const report = (what: DesignReport) => void tell(what).catch(() => {});
    return solve(input, {
      deadline: Date.now() + timeMs,
      isCanceled: () => Atomics.load(cancel, 0) === 1,
      onProgress: (progress, best) => {
        report({ progress });
        if (Date.now() < nextProposalAt) return;
        nextProposalAt = Date.now() + PROPOSE_MS;
        report({ proposal: best() });
      },
    });
  },
  { InvalidDesign },
);
