/** Requests about plans and to the solver: the workspace is a client of the API. */
import { config, pathWith } from '../config.ts';
import type { Balance } from '../territories/figures.ts';
import { WITHOUT_TOTALS } from '../page-config.ts';
import type { Designed } from '../proposals/proposal.ts';
import { getJson, post, postJson, Refusal } from '../requests.ts';

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

export const planPath = (id: string) => pathWith(config().paths.plan, id);

/** @throws Refusal */
export const readPlan = (id: string): Promise<FullPlan> =>
  getJson(`${planPath(id)}${WITHOUT_TOTALS}`);

/** Returns all plans, last changed first. @throws Refusal */
export async function listPlans(): Promise<PlanSummary[]> {
  const plans: PlanSummary[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor !== null && { cursor }) });
    const page: { plans: PlanSummary[]; nextCursor: string | null } = await getJson(
      `${config().paths.plans}?${query}`,
    );
    plans.push(...page.plans);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return plans;
}

/** A plan with its territories, limited to the parts that the workspace shows */
export interface FullPlan extends PlanSummary {
  territories: { number: number; name: string; brand: string | null; zips: string[] }[];
}

export type Beginning =
  | { metro: string; start?: 'live' | 'empty' }
  | { state: string; start?: 'live' | 'empty' }
  | { copyOf: string };

/** @throws Refusal */
export const createPlan = (
  plan: { name: string; balance?: Balance; vertical?: string } & Beginning,
): Promise<PlanSummary> => postJson(`${config().paths.plans}${WITHOUT_TOTALS}`, plan);

/** @throws Refusal; 409 if the plan has another version */
export const editPlan = (id: string, version: number, edit: object): Promise<PlanSummary> =>
  postJson(`${planPath(id)}${WITHOUT_TOTALS}`, { version, ...edit });

/** @throws Refusal */
export const deletePlan = (id: string): Promise<unknown> => postJson(`${planPath(id)}/delete`, {});

/**
 * Edits a plan that was just created. If that fails, deletes the plan, so that its name is available again.
 * @throws Refusal
 */
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
  /** What happens now, in a sentence */
  next: string;
  /** Whether the change goes live at once, without a review */
  goesLive: boolean;
  /** Null in a preview */
  change: {
    id: string | null;
    status: 'waiting' | 'scheduled' | 'live';
    /** `2027-01-01` */
    on: string | null;
  } | null;
  changes: {
    brand: string;
    brandName: string;
    territory: string;
    additions: string[];
    /** ZIP codes of the territory that a rule of a group refuses */
    refused: { reason: string; zips: string[] }[];
    removals: string[];
    kept: number;
    liveMeanwhile: number;
    batchId: string | null;
    removalId: string | null;
  }[];
  withoutBrand: { number: number; name: string; zips: string[] }[];
  untouched: { brand: string; brandName: string; zipCount: number }[];
  inOtherChanges: string[];
}

/** @throws Refusal; 409 if the plan has another version */
export const applyPlan = (
  id: string,
  version: number,
  { confirm, on }: { confirm: boolean; /** `2027-01-01`, or empty */ on: string },
): Promise<PlanApplication> =>
  postJson(`${planPath(id)}/apply`, { version, confirm, ...(on !== '' && { on }) });

/** A data set of a plan */
export interface PlanMeasure {
  name: string;
  /** Number of ZIP codes with an amount */
  zipCount: number;
  total: number;
  createdBy: string;
  createdAt: string;
}

/** @throws Refusal */
export const listMeasures = async (id: string): Promise<PlanMeasure[]> =>
  (await getJson<{ measures: PlanMeasure[] }>(`${planPath(id)}/measures`)).measures;

/** @param slug a data set of the organization. @throws Refusal; 409 if the plan has too many */
export const addData = (id: string, slug: string): Promise<unknown> =>
  postJson(`${planPath(id)}/measures`, { dataSet: slug });

/** @throws Refusal; 409 for the data set that the territories share evenly */
export const removeData = (id: string, name: string): Promise<unknown> =>
  postJson(`${planPath(id)}/measures/${encodeURIComponent(name)}/delete`, {});

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
  (await getJson<{ shares: PlanLink[] }>(`${planPath(id)}/shares`)).shares;

/** @throws Refusal */
export const sharePlan = (id: string, days: number): Promise<PlanLink> =>
  postJson(`${planPath(id)}/shares`, { days });

/** @throws Refusal */
export const revokePlanLink = (id: string, code: string): Promise<PlanLink> =>
  postJson(`${planPath(id)}/shares/${encodeURIComponent(code)}/revoke`, {});

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
  | ({ kind: 'proposal' | 'result' } & Solution)
  | { kind: 'error'; status: number; error: string };

export interface SolveProgress {
  /** 0 to 1 */
  done: number;
  worstDeviationPct: number | null;
}

/**
 * Runs the solver on territories. Aborting the signal stops it, free of charge unless there was a proposal.
 * @param onProposal receives the best solution so far, if the task asks for it
 * @throws Refusal; AbortError
 */
export async function solve(
  task: object,
  signal: AbortSignal,
  onProgress: (progress: SolveProgress) => void,
  onProposal?: (best: Solution) => void,
): Promise<Solution> {
  const { body } = await post(config().paths.design, task, signal);
  for await (const text of readLines(body!)) {
    const line = JSON.parse(text) as DesignLine;
    if (line.kind === 'progress') onProgress(line);
    else if (line.kind === 'error') throw new Refusal(line.status, line.error);
    else if (line.kind === 'proposal') onProposal?.(line);
    else if (line.kind === 'result') return line;
  }
  throw new Refusal(0, 'The connection was lost before the solver had a result. Try again.');
}

/** Reads a response line by line while it arrives. Pure. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  // A character may be split between two pieces.
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield line;
    if (done) break;
  }
  if (rest !== '') yield rest;
}
