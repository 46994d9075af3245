/** Request and response of a solve for unsaved territories. */
import { z } from 'zod';
import type { Tenant } from '../../../people/account/tenant.ts';
import { JSON_BODY } from '../../../base/contract/bounds.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { badRequest } from '../../../errors.ts';
import { newPlanOf } from '../../../territories/plans/create.ts';
import { balancedData } from '../../../territories/plans/plan-data.ts';
import { MAX_TERRITORIES } from '../../../territories/plans/edit.ts';
import type { Solved, SolvedDraft, SolveTask } from '../../../territories/plans/solve.ts';
import { joinFirst } from '../../../base/text/words.ts';
import { zip } from '../../tools/support/fields.ts';
import { NewPlanRequest } from './schema.ts';
import { MAX_SECONDS, SolutionBody, solutionBody, SolveRequest } from './solve-schema.ts';

const { metro, state, zips, balance, vertical } = NewPlanRequest.shape;
const { version, save, ...task } = SolveRequest.shape;

export const DesignRequest = z
  .strictObject({
    metro,
    state,
    zips,
    balance,
    vertical,
    plan: z
      .string()
      .min(1)
      .max(120)
      .optional()
      .meta({
        description: 'Id or name of a plan whose market and settings are used, instead of a market',
      }),
    territories: z
      .array(
        z.strictObject({
          number: z.int().min(1).max(32767),
          name: z
            .string()
            .max(120)
            .optional()
            .meta({
              description:
                'New territories are named after cities, and never get a name from this list',
            }),
          zips: z.array(zip).max(JSON_BODY.values),
        }),
      )
      .max(MAX_TERRITORIES)
      .default([])
      .meta({ description: 'The current territories. No ZIP code may be in two of them.' }),
    ...task,
    proposeAfter: z
      .int()
      .min(1)
      .max(MAX_SECONDS)
      .optional()
      .meta({
        description:
          'Seconds after which the response also has the best proposal so far, every few seconds',
      }),
  })
  .meta({
    id: 'DesignRequest',
    description: 'A market, its current territories, and the task',
    examples: [{ metro: 'dallas-tx', task: 'divide', count: 8, seconds: 10 }],
  });
export type DesignRequest = z.output<typeof DesignRequest>;

/** Returns the draft to solve. @throws ServiceError 400 if territories overlap or leave the market; as `newPlanOf` */
export async function draftOf(
  tenant: Tenant,
  { metro, state, zips, plan, balance, vertical, territories }: DesignRequest,
): Promise<SolvedDraft> {
  if ([metro, state, zips, plan].filter((one) => one !== undefined).length !== 1) {
    throw badRequest('Give exactly one of metro, state, zips, and plan.');
  }
  const market = { metro, state, zips, copyOf: plan, balance, vertical };
  const { zips: known, settings } = await newPlanOf(tenant, { name: 'Draft', ...market });
  const outside = new Set(territories.flatMap((one) => one.zips));
  for (const zip of known) outside.delete(zip);
  if (outside.size > 0) {
    throw badRequest(
      `territories: these ZIP codes aren't in the market: ${joinFirst([...outside])}. Leave them out.`,
    );
  }
  refuseRepeats(territories);
  return {
    zips: known,
    settings,
    measures: await balancedData(tenant, settings),
    territories: territories.map(({ number, name = `Territory ${number}`, zips }) => ({
      number,
      name,
      brand: null,
      zips: [...zips].sort(),
    })),
  };
}

function refuseRepeats(territories: DesignRequest['territories']): void {
  const numberOf = new Map<string, number>();
  const numbers = new Set<number>();
  for (const { number, zips } of territories) {
    if (numbers.has(number)) {
      throw badRequest(`territories: two have the number ${number}. Give each its own.`);
    }
    numbers.add(number);
    for (const zip of zips) {
      const other = numberOf.get(zip);
      if (other !== undefined) {
        throw badRequest(
          `territories: ${zip} is in territory ${other} and in territory ${number}. Leave it in one.`,
        );
      }
      numberOf.set(zip, number);
    }
  }
}

interface DesignedTerritory {
  number: number;
  /** Name of a new territory; null if the request contains a territory with this number */
  name: string | null;
  zips: string[];
}

/** A line of the response, by `kind` */
export type DesignLine =
  | { kind: 'started'; zips: number }
  | { kind: 'progress'; done: number; worstDeviationPct: number | null }
  | ({
      /** `proposal`: the best result so far */
      kind: 'proposal' | 'result';
      territories: DesignedTerritory[];
    } & Omit<z.output<typeof SolutionBody>, 'plan' | 'saved'>)
  | { kind: 'error'; status: number; error: string; code?: string };

export function resultLine(
  kind: 'proposal' | 'result',
  before: SolvedDraft['territories'],
  task: SolveTask,
  { territories, result, withoutPosition }: Solved,
): DesignLine {
  const kept = new Set(task.kind === 'divide' ? task.keep : before.map(({ number }) => number));
  return {
    kind,
    ...solutionBody(result, result.territories.length),
    withoutPosition,
    territories: territories.map(({ number, name, zips }) => ({
      number,
      name: kept.has(number) ? null : name,
      zips: [...zips],
    })),
  };
}

export const DESIGN_EXAMPLE = (() => {
  const { plan, saved, ...solution } = exampleOf(SolutionBody) as z.output<typeof SolutionBody>;
  const lines: DesignLine[] = [
    { kind: 'started', zips: 273 },
    { kind: 'progress', done: 0.42, worstDeviationPct: 1.8 },
    {
      kind: 'result',
      ...solution,
      territories: [{ number: 1, name: 'Dallas', zips: ['75201', '75202'] }],
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
})();
