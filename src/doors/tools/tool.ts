/**
 * The declaration of a tool. Its entries in tools/list, /mcp/info, and /.well-known/mcp.json, its units, and its access
 * checks follow from it.
 */
import type { z } from 'zod';
import type { Caller } from '../../people/account/caller.ts';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import type { MapRenderer } from '../../maps/cartography/map-renderer.ts';
import type { DriveTimes } from '../../data/routing/drive-times.ts';

export interface Tool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: `service_${string}`;
  /** Title for people: "Score a territory" */
  title: string;
  /** One line */
  summary: string;
  /** Tells a model when to use the tool and what it returns. Follows the summary, so keep it short. */
  description: string;
  /** Units charged for a successful call */
  units: number;
  /** Whether it's a write, which needs `confirm: true`, the write entitlement, and access to the brand */
  write: boolean;
  /** For writes: whether it removes something */
  destructive?: boolean;
  /** For writes: whether repeating the call changes nothing more */
  idempotent?: boolean;
  input: Input;
  output: Output;
  /** An input that works on the sample data */
  example: z.input<Input>;
  /** For writes without `confirm`: describes the change without making it */
  preview?(input: z.output<Input>, context: ToolContext): Promise<Preview>;
  handle(input: z.output<Input>, context: ToolContext): Promise<ToolResult<z.output<Output>>>;
}

export interface ToolContext {
  db: Database;
  renderer: MapRenderer;
  /** The configured routing server, if any */
  driveTimes?: DriveTimes | undefined;
  caller: Caller;
  /** Public URL of the API, without a trailing slash */
  apiRoot: string;
  /** Public URL of the pages, without a trailing slash */
  siteRoot: string;
  /** Aborted when the client disconnects */
  signal: AbortSignal;
  /**
   * Charges the units of a write in its transaction, so that both happen or neither. Reads don't call it, because they
   * are charged afterwards.
   */
  charge(tx: TenantTransaction): Promise<void>;
}

export interface ToolResult<Output> {
  /** Data for programs */
  data: Output;
  /** Text for models and people: sentences and short lists */
  text: string;
  image?: { bytes: Buffer; type: 'image/png' };
}

interface Preview {
  /** Changes for programs */
  changes: Record<string, unknown>;
  /** The same changes in sentences */
  text: string;
}

/** Checks a declaration's handler against its schemas. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: Tool<Input, Output>,
): Omit<Tool, 'output'> & { output: Output } {
  return declaration as unknown as Omit<Tool, 'output'> & { output: Output };
}

/** The structured content that a tool returns */
export type AnswerOf<Declared extends { output: z.ZodObject }> = z.output<Declared['output']>;
