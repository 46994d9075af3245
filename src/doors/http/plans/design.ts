/** Territory design without a saved plan: the solver's progress and its proposal as lines of JSON. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../../../people/account/caller.ts';
import {
  DESIGN_EXAMPLE,
  DesignRequest,
  draftOf,
  resultLine,
  type DesignLine,
} from './design-schema.ts';
import { optionsOf, toPercent, SOLVE_UNITS, taskOf, withSeedPlaces } from './solve-schema.ts';
import { operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import type { Database } from '../../../base/db/database.ts';
import type { DesignProgress } from '../../../territories/design/input.ts';
import { ServiceError } from '../../../errors.ts';
import { reserveUnits } from '../../../people/metering/units.ts';
import { prepareSolve, type Solved } from '../../../territories/plans/solve.ts';
import type { DriveTimes } from '../../../data/routing/drive-times.ts';
import { streamText } from '../../../base/text/stream-text.ts';
import { NO_STORE, PLANS } from '../agent/shared.ts';

const NDJSON = 'application/x-ndjson';

/** Frequent enough to show proxies that the response is alive */
const PROGRESS_MS = 300;

export const designOperation = (db: Database, driveTimes: DriveTimes | undefined) =>
  operation({
    ...PLANS,
    id: 'designTerritories',
    method: 'post',
    path: '/agent/design',
    summary: 'Propose territories',
    description:
      'Divides a market into territories, or rebalances, fills, splits, or grows those in the request. ' +
      'Nothing is saved. The response is a stream of lines, each a JSON object with a `kind`: `started`, ' +
      '`progress` several times a second, and finally `result` or `error`. To cancel the solve, close the ' +
      `connection. With \`proposeAfter\`, lines of kind \`proposal\` have the best proposal so far, so that a solve ` +
      `can be stopped with what it has. The first proposal or result costs ${SOLVE_UNITS} units; solves that fail or ` +
      'are canceled before it cost nothing.',
    body: DesignRequest,
    bodyExamples: {
      divide: {
        summary: 'Divide a metro into eight territories',
        value: exampleOf(DesignRequest) as typeof DesignRequest._zod.input,
      },
    },
    answers: {
      200: { description: 'Progress and the proposal', type: NDJSON, example: DESIGN_EXAMPLE },
    },
    errors: [402, 403, 404],
    handle: async ({ caller, body, signal }) => ({
      status: 200,
      // Proxies that buffer responses would hide the progress.
      headers: { ...NO_STORE, 'Content-Type': NDJSON, 'X-Accel-Buffering': 'no' },
      body: await streamText(linesOf({ db, driveTimes }, caller, body, signal)),
    }),
  });

/** @throws errors that occur before the solve starts. Later failures are sent as lines. */
async function* linesOf(
  { db, driveTimes }: { db: Database; driveTimes: DriveTimes | undefined },
  caller: Caller,
  request: DesignRequest,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const task = taskOf(await withSeedPlaces(caller.tenant, request));
  const draft = await draftOf(caller.tenant, request);
  let isStarted = false;
  const stopped = new AbortController();
  const reservation = await reserveUnits(caller.tenant, caller.subscription, 'design', SOLVE_UNITS);
  try {
    const until = AbortSignal.any([signal, stopped.signal]);
    const options = { ...optionsOf(request, until), driveTimes };
    const solve = await prepareSolve(db, caller, draft, task, options);
    isStarted = true;
    yield line({ kind: 'started', zips: draft.zips.length });
    let latest: DesignProgress | undefined;
    let proposal: (() => Promise<Solved>) | undefined;
    const takeProposal = () => {
      const read = proposal;
      proposal = undefined;
      // A proposal that can't be read is skipped: a later one, or the result, replaces it.
      return read?.().catch(() => undefined);
    };
    let isCharged = false;
    const charge = async () => {
      if (!isCharged) await reservation.settle();
      isCharged = true;
    };
    const solving = solve.run({
      onProgress: (progress) => (latest = progress),
      ...(request.proposeAfter !== undefined && { proposeAfterMs: 1000 * request.proposeAfter }),
      onProposal: (read) => (proposal = read),
    });
    const isOver = solving.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([isOver, delay(PROGRESS_MS, false, { ref: false })]))) {
      yield line(progressLine(latest));
      const solved = await takeProposal();
      if (!solved || signal.aborted) continue;
      await charge();
      yield line(resultLine('proposal', draft.territories, task, solved));
    }
    const solved = await solving;
    // The client disconnected before the result was ready.
    if (signal.aborted) return;
    await charge();
    yield line(resultLine('result', draft.territories, task, solved));
  } catch (error) {
    if (signal.aborted && isStarted) return;
    if (!(error instanceof ServiceError) || !isStarted) throw error;
    const { status, message, code } = error;
    yield line({ kind: 'error', status, error: message, ...(code && { code }) });
  } finally {
    // Otherwise, the solver would continue until its time limit after the stream has ended early.
    stopped.abort();
    await reservation.release();
  }
}

const line = (value: DesignLine) => `${JSON.stringify(value)}\n`;

const progressLine = (progress: DesignProgress | undefined): DesignLine => ({
  kind: 'progress',
  done: Math.round(1000 * (progress?.done ?? 0)) / 1000,
  worstDeviationPct: progress ? toPercent(progress.worstDeviation) : null,
});
