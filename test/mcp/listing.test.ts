/** What tools/list says: a model reads all of it before it calls anything. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/agent/tools.ts';
import { LISTING } from '../../src/mcp/listing.ts';
import { projectFile } from '../../src/paths.ts';

const FOLDER = projectFile('fixtures/tools');

it('is under 12,000 tokens in all', () => {
  const tokens = JSON.stringify({ tools: LISTING }).length / 4;
  expect(tokens).toBeLessThan(12_000);
});

/** UPDATE=1 rewrites them: what a model is told changes in sight of whoever reviews the change. */
describe.each(LISTING.map((listed) => [listed.name, listed] as const))('%s', (name, listed) => {
  it('is told as it was when that was last looked at', () => {
    const file = join(FOLDER, `${name}.json`);
    const text = `${JSON.stringify(listed, null, 2)}\n`;
    if (process.env.UPDATE) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, text);
    }
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(text);
  });

  it('says of itself all that clients ask for', () => {
    const { write } = TOOLS.find((tool) => tool.name === name)!;
    expect(listed.title).toMatch(/^[A-Z]/);
    expect(listed.description!.length).toBeLessThan(500);
    expect(listed.annotations).toEqual({
      title: listed.title,
      readOnlyHint: !write,
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: false,
    });
  });

  it('has schemas without noise, that take no field but their own and answers with more', () => {
    const text = JSON.stringify(listed);
    expect(text).not.toMatch(/\$schema|"examples"|9007199254740991|_meta/);
    expect(listed.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify(listed.outputSchema)).not.toContain('"additionalProperties":false');
  });
});

it('no tool is remembered that is no more', () => {
  const kept = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
  expect(kept.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

it('every write says what it does with confirm, and no read asks for it', () => {
  for (const { inputSchema, annotations } of LISTING) {
    const fields = Object.keys(inputSchema.properties ?? {});
    expect(fields.includes('confirm')).toBe(!annotations!.readOnlyHint);
    expect(fields.includes('idempotencyKey')).toBe(!annotations!.readOnlyHint);
  }
});
