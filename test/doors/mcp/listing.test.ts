/** The answer of tools/list. A model reads all of it before its first call. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { JsonSchema } from '../../../src/doors/tools/support/json-schema.ts';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { listing } from '../../../src/doors/mcp/server.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';

const LISTING = listing();

const FOLDER = projectFile('fixtures/tools');

/** Counts tokens as the most common models do; other tokenizers differ by a tenth. */
const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length;

// Of these, 130 are the earlier days that four tools can be asked for.
it('the listing has fewer than 8,500 tokens: input, output, and the rest of each tool', () => {
  const total = tokensOf({ tools: LISTING });
  const rows = LISTING.map(({ name, inputSchema, outputSchema, ...rest }) => {
    const parts = [inputSchema, outputSchema, rest].map(tokensOf);
    return [name, ...parts].map((cell) => String(cell).padEnd(34)).join('');
  });
  process.stdout.write(`${rows.join('\n')}\ntools/list, in all: ${total}\n`);
  expect(total).toBeLessThan(8_500);
});

/** Reports of `npx @modelcontextprotocol/inspector --cli … --method tools/list --strict` */
function* unportableParts(schema: unknown, path: string): Generator<string> {
  if (typeof schema === 'boolean') return yield path;
  const { type, description: _, title: __, default: ___, ...rest } = schema as JsonSchema;
  if (Array.isArray(type) || '$ref' in rest) yield path;
  if (type === undefined && Object.keys(rest).length === 0) yield path;
  for (const [name, field] of Object.entries(rest.properties ?? {})) {
    yield* unportableParts(field, `${path}.${name}`);
  }
  if (rest.items) yield* unportableParts(rest.items, `${path}[]`);
  for (const choice of rest.anyOf ?? []) yield* unportableParts(choice, `${path}|`);
  const { additionalProperties: others } = rest;
  if (typeof others === 'object') yield* unportableParts(others, `${path}{}`);
}

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
    const { idempotentHint, ...annotations } = listed.annotations!;
    expect(typeof idempotentHint === 'boolean').toBe(write);
    expect(annotations).toEqual({
      readOnlyHint: !write,
      destructiveHint: expect.any(Boolean),
      openWorldHint: false,
    });
  });

  it('has compact schemas that reject unknown input and allow new output fields', () => {
    const text = JSON.stringify(listed);
    expect(text).not.toMatch(/\$schema|"examples"|9007199254740991|_meta/);
    // OpenAI's API refuses a function whose parameters lack \`properties\`.
    const properties = expect.any(Object);
    expect(listed.inputSchema).toMatchObject({
      type: 'object',
      properties,
      additionalProperties: false,
    });
    expect(JSON.stringify(listed.outputSchema)).not.toContain('"additionalProperties":false');
    for (const place of ['inputSchema', 'outputSchema'] as const) {
      expect([...unportableParts(listed[place], place)]).toEqual([]);
    }
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
