/** Prompts, resources, and completion, with the official client of the newest protocol version. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { findBrand } from '../../../src/territories/brands/brands.ts';
import { testDatabase } from '../../support/database.ts';
import { serveDemo } from './service.ts';

const { db } = await testDatabase('sample');
const { url, tenant, key, anotherKey } = await serveDemo(db);

async function connect(credential: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const headers = { Authorization: `Bearer ${credential}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  afterAll(() => client.close());
  return client;
}

const client = await connect(key);
const { id } = await findBrand(tenant, 'all', 'desert-air-hvac');
const narrow = await connect(await anotherKey({ brands: [id] }));

const read = async (from: Client, uri: string) => {
  const [content] = (await from.readResource({ uri })).contents;
  return String((content as { text: string }).text);
};

describe('resources', () => {
  it('can all be read', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'territory://brands',
      'territory://metros',
      'territory://methodology',
      'territory://brands/desert-air-hvac',
      'territory://brands/lone-star-roofing',
    ]);
    for (const { uri } of resources) expect(await read(client, uri)).not.toBe('');
    expect(
      JSON.parse(await read(client, 'territory://brands/lone-star-roofing')).live,
    ).toHaveLength(34);
    expect(JSON.parse(await read(client, 'territory://metros/dallas-tx')).zips).toContain('75201');
    expect(await read(client, 'territory://methodology/roofing')).toMatch(
      /^## Roofing\n[^]*\| \d+% \|/,
    );
  });

  it('of a key for one brand include only that brand', async () => {
    const { resources } = await narrow.listResources();
    expect(resources.map(({ name }) => name)).toContain('desert-air-hvac');
    expect(JSON.stringify(resources)).not.toContain('lone-star');
    expect(await read(narrow, 'territory://brands')).not.toContain('lone-star');
    await expect(read(narrow, 'territory://brands/lone-star-roofing')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(
        /no brand "lone-star-roofing". Available brands: desert-air-hvac/,
      ),
    });
  });

  it('that don’t exist are refused with a list of existing ones', async () => {
    for (const uri of ['territory://nothing', 'https://example.com', 'territory://metros/a/b']) {
      await expect(read(client, uri)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('Use one of: territory://brands, '),
      });
    }
  });
});

describe('prompts', () => {
  it('contain the arguments and name tools that exist', async () => {
    const { prompts } = await client.listPrompts();
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    const values = {
      brand: 'Desert Air HVAC',
      vertical: 'HVAC',
      metro: 'phoenix-az',
      zip: '85001',
    };
    for (const { name, arguments: all = [] } of prompts) {
      const chosen = all.flatMap((one) =>
        one.name in values ? [[one.name, values[one.name as keyof typeof values]] as const] : [],
      );
      const { messages } = await client.getPrompt({ name, arguments: Object.fromEntries(chosen) });
      const { text } = messages[0]!.content as { text: string };
      expect(text).toContain('HVAC (hvac)');
      const named = text.match(/service_\w+/g)!;
      expect(tools).toEqual(expect.arrayContaining(named));
    }
  });

  it.each([
    [{}, 'vertical is missing'],
    [{ vertical: 'roofing', zip: '75201', size: '3' }, 'there is no "size"'],
    [{ vertical: 'plumbers', zip: '75201' }, 'Use one of'],
    [{ vertical: 'roofing', zip: '7520' }, 'zip must be five digits'],
  ])('refuse the arguments %j and say what is accepted', async (values, problem) => {
    const asked = client.getPrompt({ name: 'explain-score', arguments: values });
    await expect(asked).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(problem),
    });
  });
});

it('completion suggests brands in scope, metros, and verticals', async () => {
  const complete = async (from: Client, ref: object, name: string, value: string) =>
    (await from.complete({ ref, argument: { name, value } } as never)).completion.values;
  const prompt = { type: 'ref/prompt', name: 'plan-territory' };
  const template = { type: 'ref/resource', uri: 'territory://metros/{metro}' };
  expect(await complete(client, prompt, 'brand', 'star')).toEqual(['lone-star-roofing']);
  expect(await complete(narrow, prompt, 'brand', '')).toEqual(['desert-air-hvac']);
  expect(await complete(client, prompt, 'vertical', 'ro')).toEqual([
    'roofing',
    'pest-control',
    'professional-services',
  ]);
  expect(await complete(client, template, 'metro', 'fort worth')).toEqual(['dallas-tx']);
  expect(await complete(client, template, 'vertical', '')).toEqual([]);
});
