/** Requests about plans and to the solver: the workspace is a client of the API. */
import { config, pathWith } from './config.ts';
import type { Balance } from './figures.ts';
import { readLines } from './lines.ts';
import type { Designed } from './proposal.ts';

export interface PlanSummary {
  id: string;
  name: string;
  market: string;
  zipCount: number;
  territoryCount: number;
  version: number;
  balance: Balance;
  vertical: string;
  changedBy: string;
  changedAt: string;
}

/** A refused request. The message is for people. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws Refusal */
async function request(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      headers: {
        'For-Organization': config().organization.id,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal(0, 'The service can’t be reached. Check the connection, then try again.');
  }
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  throw new Refusal(response.status, error ?? `The service answered with ${response.status}.`);
}

/** @throws Refusal */
async function requestJson<T>(path: string, body?: object): Promise<T> {
  const response = await request(path, body);
  return (await response.json()) as T;
}

/** Returns all plans, last changed first. @throws Refusal */
export async function listPlans(): Promise<PlanSummary[]> {
  const plans: PlanSummary[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) });
    const page: { plans: PlanSummary[]; nextCursor: string | null } = await requestJson(
      `${config().paths.plans}?${query}`,
    );
    plans.push(...page.plans);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return plans;
}

export type Beginning =
  | { metro: string; start?: 'live' | 'empty' }
  | { state: string; start?: 'live' | 'empty' }
  | { copyOf: string };

/** @throws Refusal */
export const createPlan = (
  plan: { name: string; balance?: Balance; vertical?: string } & Beginning,
): Promise<PlanSummary> => requestJson(config().paths.plans, plan);

const planPath = (id: string) => pathWith(config().paths.plan, id);

/** @throws Refusal; 409 if the plan has another version */
export const editPlan = (id: string, version: number, edit: object): Promise<PlanSummary> =>
  requestJson(planPath(id), { version, ...edit });

/** @throws Refusal */
export const deletePlan = (id: string): Promise<unknown> =>
  requestJson(`${planPath(id)}/delete`, {});

/** Edits a plan that was just created. Without the edit, it is of no use and would keep its name. @throws Refusal */
export async function editNewPlan({ id, version }: PlanSummary, edit: object): Promise<void> {
  try {
    await editPlan(id, version, edit);
  } catch (error) {
    await deletePlan(id).catch(() => undefined);
    throw error;
  }
}

export interface PlanApplication {
  status: 'preview' | 'applied';
  changes: {
    brand: string;
    brandName: string;
    territory: string;
    additions: string[];
    removals: string[];
    kept: number;
    batchId: string | null;
    removalId: string | null;
  }[];
}

/** @throws Refusal; 409 if the plan has another version */
export const applyPlan = (
  id: string,
  version: number,
  confirm: boolean,
): Promise<PlanApplication> => requestJson(`${planPath(id)}/apply`, { version, confirm });

/** A link that shows a plan to anyone who has it */
export interface PlanLink {
  code: string;
  url: string;
  status: 'active' | 'expired' | 'revoked';
  createdBy: string;
  expiresAt: string;
}

/** Returns the links to a plan, newest first. @throws Refusal */
export const listPlanLinks = async (id: string): Promise<PlanLink[]> =>
  (await requestJson<{ shares: PlanLink[] }>(`${planPath(id)}/shares`)).shares;

/** @throws Refusal */
export const sharePlan = (id: string, days: number): Promise<PlanLink> =>
  requestJson(`${planPath(id)}/shares`, { days });

/** @throws Refusal */
export const revokePlanLink = (id: string, code: string): Promise<PlanLink> =>
  requestJson(`${planPath(id)}/shares/${encodeURIComponent(code)}/revoke`, {});

export interface Solution {
  summary: string;
  worstDeviationPct: number;
  tolerancePct: number;
  provenBoundPct: number;
  borderMiles: number;
  splitCounties: number;
  violations: { constraint: string; message: string; zips: string[] }[];
  bridges: { from: string; to: string; miles: number }[];
  withoutPosition: string[];
  ended: 'finished' | 'deadline' | 'canceled';
  territories: Designed[];
}

type DesignLine =
  | { kind: 'started'; zips: number }
  | { kind: 'progress'; done: number; worstDeviationPct: number | null }
  | ({ kind: 'result' } & Solution)
  | { kind: 'error'; status: number; error: string };

export interface SolveProgress {
  /** 0 to 1 */
  done: number;
  worstDeviationPct: number | null;
}

/**
 * Lets the solver work on territories. Aborting the signal stops it, for free.
 * @throws Refusal; AbortError
 */
export async function solve(
  task: object,
  signal: AbortSignal,
  onProgress: (progress: SolveProgress) => void,
): Promise<Solution> {
  const { body } = await request(config().paths.design, task, signal);
  for await (const text of readLines(body!)) {
    const line = JSON.parse(text) as DesignLine;
    if (line.kind === 'progress') onProgress(line);
    else if (line.kind === 'error') throw new Refusal(line.status, line.error);
    else if (line.kind === 'result') return line;
  }
  throw new Refusal(0, 'The connection was lost before the solver had a result. Try again.');
}
