/**
 * The one way to call a tool, for every door: check the input, pass the gates of writes, reserve the
 * units, do it, charge them. What goes wrong with a call is told in its answer, in words from which
 * a model can go on; only what keeps a call from being served at all is thrown.
 */
import type { z } from 'zod';
import { requireWrite } from '../account/access.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import { ServiceError } from '../errors.ts';
import { reserveUnits } from '../metering/units.ts';
import { describeProblems } from './input-problems.ts';
import { writeHindrance } from './write-hindrance.ts';
import type { Preview, Tool, ToolContext, ToolResult } from './tool.ts';

/** What a call needs of the world. */
export interface CallParts extends Omit<ToolContext, 'charge'> {
  /** Takes what nobody foresaw: the caller is told nothing of it */
  report(error: unknown): void;
}

export interface ToolAnswer {
  isError: boolean;
  /** Of the tool's output schema, or a `ToolFailure` */
  data: Record<string, unknown>;
  text: string;
  image?: ToolResult<unknown>['image'];
}

/**
 * @param input as it came
 * @throws ServiceError 402 where the units are used up, 503 where they cannot be counted: the call
 *   was not served
 */
export async function callTool(tool: Tool, input: unknown, parts: CallParts): Promise<ToolAnswer> {
  const checked = checkInput(tool, input);
  if (!checked.success) return failure('bad_request', checked.problems);
  try {
    if (tool.write) {
      if (checked.data.confirm !== true) return await askConfirmation(tool, checked.data, parts);
      requireWrite(parts.caller);
    }
  } catch (error) {
    return failureOf(error, parts);
  }
  return serve(tool, checked.data, parts);
}

type CheckedInput = Record<string, unknown> & { confirm?: boolean };

/** Unlike elsewhere, a name that no field has is a mistake: a model that misspelt one is told. */
function checkInput(
  { name, input }: Tool,
  given: unknown,
): { success: true; data: CheckedInput } | { success: false; problems: string } {
  if (!isWellFormed(given)) {
    const problems = 'The input holds a character that no text can have: NUL, or half of another.';
    return { success: false, problems };
  }
  const schema: z.ZodType = input.strict();
  const result = schema.safeParse(given ?? {});
  return result.success
    ? { success: true, data: result.data as CheckedInput }
    : { success: false, problems: describeProblems(name, input, result.error.issues) };
}

/** The database keeps no other text, and a model means none. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Cs}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every((member) => member.every(isWellFormed));
}

/** A call takes its units before it works, so that many at once cannot take more than there are. */
async function serve(tool: Tool, input: CheckedInput, parts: CallParts): Promise<ToolAnswer> {
  const { tenant, plan } = parts.caller;
  const reservation = await reserveUnits(tenant, plan, tool.name, tool.units);
  let charged = false;
  const charge: ToolContext['charge'] = async (tx) => {
    await reservation.settle(tx);
    charged = true;
  };
  let result: ToolResult<Record<string, unknown>>;
  try {
    result = await tool.handle(input, { ...parts, charge });
  } catch (error) {
    await reservation.release();
    return failureOf(error, parts);
  }
  // A write that has charged nothing has done nothing: it was a repetition.
  if (tool.write && !charged) await reservation.release();
  if (!tool.write) await reservation.settle();
  const { data, text, image } = result;
  return { isError: false, data, text, ...(image && { image }) };
}

/** Nothing was asked of anybody yet: what would change, and what would stand in its way. */
async function askConfirmation(
  tool: Tool,
  input: CheckedInput,
  parts: CallParts,
): Promise<ToolAnswer> {
  const { changes, text, outOfScope } = await previewOf(tool, input, parts);
  const hindrance = writeHindrance(parts.caller) ?? outOfScope;
  const next = hindrance
    ? `With confirm: true it would be refused. ${hindrance}`
    : 'If this is what is wanted, call again with the same input and confirm: true.';
  const error = 'Nothing was changed: this tool changes things only with confirm: true.';
  return {
    isError: true,
    data: {
      code: 'confirmation_required',
      error,
      preview: hindrance ? { ...changes, refusal: hindrance } : changes,
    },
    text: [error, ...(text ? [text] : []), next].join('\n\n'),
  };
}

/** Of a brand out of the caller's scope nothing is shown, and that it is so is told last. */
async function previewOf(
  tool: Tool,
  input: CheckedInput,
  parts: CallParts,
): Promise<Preview & { outOfScope?: string }> {
  const charge = () => Promise.reject(new Error('a preview charges nothing'));
  try {
    return await tool.preview!(input, { ...parts, charge });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'brand_out_of_scope') throw error;
    return { changes: {}, text: '', outOfScope: error.message };
  }
}

/** `error` and `code` as everywhere; further fields, such as a preview, belong to some codes. */
function failure(code: ErrorCode, error: string): ToolAnswer {
  return { isError: true, data: { code, error }, text: withNextStep(code, error) };
}

function failureOf(error: unknown, { report, signal }: CallParts): ToolAnswer {
  if (error instanceof ServiceError && error.code !== undefined) {
    if (error.status >= 500) report(error);
    return failure(error.code, error.message);
  }
  // Work that was broken off because nobody waits for it has not failed.
  if (!signal.aborted) report(error);
  return failure('internal_error', 'Something went wrong on our side.');
}

/** Where the sentence does not say by itself what to do. */
const NEXT_STEPS: Partial<Record<ErrorCode, string>> = {
  unavailable: 'Call again in a few seconds.',
  internal_error:
    'Look at how things stand before you call again; if it fails again, leave it and tell the person.',
  conflict: 'Look at how things stand now before calling again.',
};

function withNextStep(code: ErrorCode, error: string): string {
  const next = NEXT_STEPS[code];
  return next ? `${error} ${next}` : error;
}
