/**
 * An agent that knows nothing but `tools/list`: it refuses to call unlisted tools or to
 * send unlisted fields. It counts the cost of a job.
 */
import { expect } from 'vitest';
import type { ToolClient, ToolReply } from '../service.ts';
import { textOf } from '../service.ts';

export interface Cost {
  calls: number;
  errors: number;
  /** Tokens in the answers, of about four characters each */
  tokens: number;
}

export interface Agent {
  /** @returns the structured content, and the text as `text` */
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>;
  /** Previews a write, then confirms it. */
  change(tool: string, input: Record<string, unknown>): Promise<{ preview: Answer; done: Answer }>;
  cost: Cost;
}

export interface Answer extends Record<string, any> {
  text: string;
  /** Media types of content other than text */
  media: string[];
}

type Listed = Awaited<ReturnType<ToolClient['list']>>['tools'];

export function agentOf(client: ToolClient, listed: Listed): Agent {
  const cost: Cost = { calls: 0, errors: 0, tokens: 0 };

  async function call(tool: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const found = listed.find(({ name }) => name === `service_${tool}`);
    expect(found, `${tool} is listed`).toBeDefined();
    const fields = Object.keys(found!.inputSchema.properties ?? {});
    expect(fields, `${tool} lists its fields`).toEqual(expect.arrayContaining(Object.keys(input)));
    const reply = await client.call(found!.name as string, input);
    count(cost, reply);
    const answer = reply.structuredContent!;
    // Every write may answer with a preview.
    if (!reply.isError && answer.status !== 'preview') {
      const described = Object.keys(found!.outputSchema.properties ?? {});
      expect(described, `${tool} lists its answer`).toEqual(
        expect.arrayContaining(Object.keys(answer)),
      );
    }
    const media = reply.content.flatMap(({ mimeType }) => mimeType ?? []);
    return { ...answer, text: textOf(reply), media };
  }

  return {
    call,
    async change(tool, input) {
      const preview = await call(tool, input);
      expect(preview.status).toBe('preview');
      const done = await call(tool, { ...input, confirm: true });
      expect(done.status).not.toBe('preview');
      return { preview, done };
    },
    cost,
  };
}

function count(cost: Cost, reply: ToolReply): void {
  cost.calls++;
  if (reply.isError) cost.errors++;
  cost.tokens += Math.ceil(
    (textOf(reply).length + JSON.stringify(reply.structuredContent).length) / 4,
  );
}

export interface Job {
  /** The request of a person */
  name: string;
  /** Maximum number of calls */
  calls: number;
  run(agent: Agent): Promise<void>;
}
