/** The answer of tools/list. A model reads all of it before its first call. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../src/agent/tools.ts';
import { LISTING } from '../../src/mcp/listing.ts';
import { projectFile } from '../../src/paths.ts';

const FOLDER = projectFile('fixtures/tools');

it('the listing has fewer than 12,000 tokens', () => {
  const tokens = JSON.stringify({ tools: LISTING }).length / 4;
  expect(tokens).toBeLessThan(12_000);
});

/** Stored listings make changes visible in code review. UPDATE=1 rewrites them. */
describe.each(LISTING.map((listed) => [listed.name, listed] as const))('%s', (name, listed) => {
  it('matches its stored listing', () => {
    const file = join(FOLDER, `${name}.json`);
    const text = `${JSON.stringify(listed, null, 2)}\n`;
    if (process.env.UPDATE) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, text);
    }
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(text);
  });

  it('has a title, a short description, and annotations', () => {
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

  it('has compact schemas that reject unknown input and allow new output fields', () => {
    const text = JSON.stringify(listed);
    expect(text).not.toMatch(/\$schema|"examples"|9007199254740991|_meta/);
    expect(listed.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify(listed.outputSchema)).not.toContain('"additionalProperties":false');
  });
});

it('every stored listing belongs to a tool', () => {
  const kept = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
  expect(kept.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

it('writes, and only writes, have confirm and idempotencyKey', () => {
  for (const { inputSchema, annotations } of LISTING) {
    const fields = Object.keys(inputSchema.properties ?? {});
    expect(fields.includes('confirm')).toBe(!annotations!.readOnlyHint);
    expect(fields.includes('idempotencyKey')).toBe(!annotations!.readOnlyHint);
  }
});
