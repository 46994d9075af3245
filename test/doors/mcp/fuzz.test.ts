/**
 * Calls every tool with random inputs made from its listed schema. Each answer must match the tool's
 * schema or be a failure with a message of ours.
 */
import fc from 'fast-check';
import sharp from 'sharp';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { callTool } from '../../../src/doors/tools/call-tool.ts';
import { ToolPreview } from '../../../src/doors/tools/support/outcomes.ts';
import { inputSchema } from '../../../src/doors/tools/support/tool-schema.ts';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { makeDemo } from '../../../src/territories/demo/demo.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { testDatabase } from '../../support/database.ts';
import { fields, NASTY, nearExample, type JsonSchema } from '../../support/json-inputs.ts';
import { runs } from '../../support/thorough.ts';

/** The structured content of a failed call */
const ToolFailure = z.object({ code: z.string(), error: z.string() });

const CALLS_EACH = runs(50);

const { db } = await testDatabase('sample');
const { key, organization } = (await makeDemo(db))!;
await changeSubscription(tenantOf(db, organization.id), { monthlyUnits: 2_000_000_000 });
const caller = (await callerOfKey(db, key))!;

/** Has the right size; other tests check the content of pictures. */
const blankPicture = ({ width, height, pixelRatio }: Scene): Promise<Buffer> =>
  sharp({
    create: {
      width: Math.round(width * pixelRatio),
      height: Math.round(height * pixelRatio),
      channels: 4,
      background: 'white',
    },
  })
    .png()
    .toBuffer();

/** A stack trace or a message of the database or runtime */
const INTERNALS =
  /\n\s+at |\.[jt]s:\d|node_modules|syntax error|invalid byte|violates|undefined|NaN/;

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  const reports: unknown[] = [];
  const parts = {
    db,
    renderer: mapsWith({ render: blankPicture }),
    caller,
    apiRoot: 'http://localhost',
    siteRoot: 'http://localhost',
    signal: new AbortController().signal,
    report: (error: unknown) => reports.push(error),
  };

  it('returns a valid answer for any input', async () => {
    const schema = inputSchema(tool) as JsonSchema;
    const inputs = fc.oneof(
      { weight: 10, arbitrary: fields(schema) },
      { weight: 9, arbitrary: nearExample(tool.example, schema) },
      { weight: 1, arbitrary: NASTY },
    );
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const answer = await callTool(tool, input, parts);
        expect(reports.splice(0)).toEqual([]);
        expect(answer.text).not.toBe('');
        expect(answer.text).not.toMatch(INTERNALS);
        codes.add(answer.isError ? String(answer.data['code']) : 'ok');
        const isPreview = answer.data['status'] === 'preview';
        const declared = answer.isError ? ToolFailure : isPreview ? ToolPreview : tool.output;
        expect(() => declared.strict().parse(answer.data)).not.toThrow();
      }),
      { numRuns: CALLS_EACH, examples: [[tool.example], ['no object']] },
    );
    // The inputs include valid and invalid ones.
    expect([...codes]).toEqual(expect.arrayContaining(['ok', 'bad_request']));
  });
});
