/**
 * Calls a tool: checks the input, asks for confirmation of writes, reserves units, runs the handler, and charges the
 * units. A failure becomes an answer that tells a model what to do next. Only a refused call throws.
 */
import type { z } from 'zod';
import { callerAsOf } from '../../people/account/days/as-of.ts';
import { requireWrite, refusalFor, WRITER } from '../../people/account/access.ts';
import type { ErrorCode } from '../../base/contract/error-codes.ts';
import { ServiceError } from '../../errors.ts';
import { reserveUnits } from '../../people/metering/units.ts';
import { describeProblems } from '../../base/contract/input-problems.ts';
import { listUnstorable } from '../../base/contract/storable-text.ts';
import type { ToolPreview } from './support/outcomes.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

export interface CallParts extends Omit<ToolContext, 'charge'> {
  /** Logs an unexpected error, whose details the caller doesn't see */
  report(error: unknown): void;
}

export interface ToolAnswer {
  isError: boolean;
  /** Matches the tool's output schema, `ToolPreview`, or a failure's `code` and `error` */
  data: Record<string, unknown>;
  text: string;
  image?: ToolResult<unknown>['image'];
}

/**
 * Calls a tool.
 * @param input unchecked input
 * @throws ServiceError 402 if the units are used up or the subscription doesn't include the figures; 503 if units can't be
 *   counted
 */
export async function callTool(tool: Tool, input: unknown, parts: CallParts): Promise<ToolAnswer> {
  const checked = checkInput(tool, input);
  if (!checked.success) return failure('bad_request', checked.problems);
  const { confirm, asOf } = checked.data;
  let caller: CallParts['caller'];
  try {
    if (tool.write) {
      if (confirm !== true) return await previewOf(tool, checked.data, parts);
      requireWrite(parts.caller);
    }
    caller = await callerAsOf(parts.caller, asOf);
  } catch (error) {
    return failureOf(error, parts);
  }
  const answer = await serve(tool, checked.data, { ...parts, caller });
  if (asOf === undefined || answer.isError) return answer;
  return { ...answer, text: `Territories as of ${asOf}.\n${answer.text}` };
}

type CheckedInput = Record<string, unknown> & { confirm?: boolean; asOf?: string };

/** Checks the input. Unlike other checks, it rejects unknown fields, so that a model notices a misspelled one. */
function checkInput(
  { name, input }: Tool,
  value: unknown,
): { success: true; data: CheckedInput } | { success: false; problems: string } {
  const [unstorable] = listUnstorable(value);
  if (unstorable !== undefined) {
    return { success: false, problems: `Invalid input for ${name}: ${unstorable}.` };
  }
  const schema: z.ZodType = input.strict();
  const result = schema.safeParse(value ?? {});
  return result.success
    ? { success: true, data: result.data as CheckedInput }
    : { success: false, problems: describeProblems(name, input, result.error.issues) };
}

/** Serves a checked call. Reserves units before the work, so that concurrent calls can't exceed the quota. */
async function serve(tool: Tool, input: CheckedInput, parts: CallParts): Promise<ToolAnswer> {
  const { tenant, subscription } = parts.caller;
  const reservation = await reserveUnits(tenant, subscription, tool.name, tool.units);
  let charged = false;
  const charge: ToolContext['charge'] = async (tx) => {
    await reservation.settle(tx);
    charged = true;
  };
  let result: ToolResult<Record<string, unknown>>;
  let data: ToolAnswer['data'];
  try {
    result = await tool.handle(input, { ...parts, charge });
    // Drops undeclared fields.
    data = tool.output.parse(result.data);
  } catch (error) {
    await reservation.release();
    if (error instanceof ServiceError && error.status === 402) throw error;
    return failureOf(error, parts);
  }
  // A write that didn't charge repeated an earlier call and changed nothing.
  if (tool.write && !charged) await reservation.release();
  if (!tool.write) await reservation.settle();
  const { text, image } = result;
  return { isError: false, data, text, ...(image && { image }) };
}

/** Describes the changes of an unconfirmed write, and how to confirm it or why it would fail. */
async function previewOf(tool: Tool, input: CheckedInput, parts: CallParts): Promise<ToolAnswer> {
  const charge = () => Promise.reject(new Error('a preview charges nothing'));
  const { changes, text } = await tool.preview!(input, { ...parts, charge });
  const refusal = refusalFor(parts.caller, WRITER);
  const next =
    refusal === undefined
      ? `To make the change, call ${tool.name} again with the same input and confirm: true.`
      : `This call would fail with confirm: true. ${refusal}`;
  const data: z.input<typeof ToolPreview> = {
    status: 'preview',
    code: 'confirmation_required',
    ...(refusal === undefined
      ? { preview: changes, confirmWith: { confirm: true } }
      : { preview: { ...changes, refusal } }),
  };
  return { isError: false, data, text: ['Preview: nothing was changed.', text, next].join('\n\n') };
}

function failure(code: ErrorCode, error: string): ToolAnswer {
  return { isError: true, data: { code, error }, text: withNextStep(code, error) };
}

function failureOf(error: unknown, { report, signal }: CallParts): ToolAnswer {
  if (error instanceof ServiceError && error.code !== undefined) {
    if (error.status >= 500) report(error);
    return failure(error.code, error.message);
  }
  // A client that disconnects cancels the work, which isn't an error.
  if (!signal.aborted) report(error);
  return failure('internal_error', 'An internal error occurred.');
}

/** Advice for errors whose message has none */
const NEXT_STEPS: Partial<Record<ErrorCode, string>> = {
  unavailable: 'Call again in a few seconds.',
  internal_error:
    'Check the current state, then call again. If it fails again, stop and tell the person.',
  conflict: 'Check the current state before calling again.',
};

function withNextStep(code: ErrorCode, error: string): string {
  const next = NEXT_STEPS[code];
  return next ? `${error} ${next}` : error;
}
