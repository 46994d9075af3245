/**
 * A tool, declared once. From the declaration come its place in tools/list, /mcp/info and
 * /.well-known/mcp.json, its units, its gates and its command of the command line.
 */
import type { z } from 'zod';
import type { Caller } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import type { Database } from '../db/database.ts';
import type { Renderer } from '../render/renderer.ts';

export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: `service_${string}`;
  /** For people, in a list of tools: "Score a territory" */
  title: string;
  /** One line */
  summary: string;
  /** When to use it and what comes back, for a model: after the summary, as short as can be */
  description: string;
  /** Billable units of a call that succeeds */
  units: number;
  /** A write asks for `confirm: true`, the write entitlement and the brand scope */
  write: boolean;
  /** Of a write: whether it takes something away */
  destructive?: boolean;
  /** Of a write: whether the same call again changes nothing more */
  idempotent?: boolean;
  input: Input;
  output: Output;
  /** An input that works as it stands on the sample data */
  example: z.input<Input>;
  /** Of a write: what it would change, told when `confirm` is missing. Changes nothing. */
  preview?(input: z.output<Input>, context: ToolContext): Promise<Preview>;
  handle(input: z.output<Input>, context: ToolContext): Promise<ToolResult<z.output<Output>>>;
}

export interface ToolContext {
  db: Database;
  renderer: Pick<Renderer, 'render'>;
  caller: Caller;
  /** Where people reach the interface, without a slash at the end */
  apiRoot: string;
  /** Where people reach the pages, likewise */
  siteRoot: string;
  /** Fires when the client hangs up */
  signal: AbortSignal;
  /**
   * Charges the call's units for good within the transaction of what it writes, so that a process
   * that dies has done both or neither. A read leaves it alone: its units are charged after it.
   */
  charge(tx: Tenant): Promise<void>;
}

export interface ToolResult<Output> {
  /** What a program reads */
  data: Output;
  /** What a model or a person reads: sentences and short tables */
  text: string;
  image?: { bytes: Buffer; type: 'image/png' };
}

export interface Preview {
  /** What would change, for a program */
  changes: Record<string, unknown>;
  /** And in sentences */
  text: string;
}

/** Checks a declaration's handler against its schemas. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: Tool<Input, Output>,
): Omit<Tool, 'output'> & { output: Output } {
  return declaration as unknown as Omit<Tool, 'output'> & { output: Output };
}

/** The structured content that a tool returns. */
export type AnswerOf<Declared extends { output: z.ZodObject }> = z.output<Declared['output']>;
