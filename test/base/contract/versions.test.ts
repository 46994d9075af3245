/**
 * Compares the contract with the stored versions in `fixtures/contract`, which have the sunsets of
 * operations as `x-sunset`. `UPDATE=1` stores the current version unless it breaks clients.
 */
import { mkdirSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDeprecation } from '../../../src/base/contract/deprecation.ts';
import { openApiDocument } from '../../../src/base/contract/openapi.ts';
import { EVENT_WEBHOOKS } from '../../../src/people/events/webhook-declarations.ts';
import { SERVICE_VERSION } from '../../../src/base/contract/version.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { bareOperations } from '../../support/bare-app.ts';
import { brokenTerms, termsOf, type StoredContract } from './changes.ts';

const FOLDER = projectFile('fixtures/contract');
const ROOTS = { api: 'https://territory.example.com', site: 'https://territory.example.com' };
const today = new Date().toISOString().slice(0, 10);
const all = bareOperations({ apiRoot: () => ROOTS.api });

async function currentContract(): Promise<StoredContract> {
  const contract = (await openApiDocument(all, ROOTS, EVENT_WEBHOOKS)) as unknown as StoredContract;
  for (const { path, method, deprecated } of all) {
    if (deprecated) contract.paths[path]![method]!['x-sunset'] = deprecated.sunset;
  }
  return JSON.parse(JSON.stringify(contract)) as StoredContract;
}

function storedVersions(): string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .map((file) => file.replace('.json', ''))
    .toSorted();
}

const stored = (version: string) =>
  JSON.parse(readFileSync(join(FOLDER, `${version}.json`), 'utf8')) as StoredContract;

function store(contract: StoredContract): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${SERVICE_VERSION}.json`), `${JSON.stringify(contract, null, 2)}\n`);
}

describe('the contract', async () => {
  const current = await currentContract();

  it('keeps every promise of the stored version, and requires nothing new', () => {
    const last = storedVersions().at(-1);
    const broken = last === undefined ? [] : brokenTerms(stored(last), current, today);
    expect(broken).toEqual([]);
    if (process.env['UPDATE']) store(current);
  });

  it('is stored with everything that it promises (UPDATE=1 stores additions)', () => {
    expect(storedVersions().at(-1)).toBe(SERVICE_VERSION);
    expect(termsOf(stored(SERVICE_VERSION))).toEqual(termsOf(current));
  });

  it('keeps deprecated operations for at least a year', () => {
    const check = () => all.forEach(({ deprecated }) => deprecated && checkDeprecation(deprecated));
    expect(check).not.toThrow();
  });
});

/** A contract with one operation */
function contractWith({
  fields = { id: { type: 'string' }, size: { type: ['integer', 'null'] } } as object,
  required = ['id'],
  parameters = [] as object[],
  status = 200,
  more = {},
} = {}): StoredContract {
  const shop = { type: 'object', properties: fields, required };
  const schema = { type: 'array', items: { $ref: '#/components/schemas/Shop' } };
  const responses = { [status]: { content: { 'application/json': { schema } } } };
  return {
    paths: { '/shops': { get: { parameters, responses, ...more } } },
    components: { schemas: { Shop: shop } },
  } as never;
}

const query = (name: string, required: boolean, schema: object = { type: 'string' }) => ({
  name,
  in: 'query',
  required,
  schema,
});

describe('a change of the contract', () => {
  const broken = (before: StoredContract, after: StoredContract) =>
    brokenTerms(before, after, '2026-08-22');
  const id = { type: 'string' };

  it('may add endpoints, fields, optional parameters, and enum members', () => {
    const sizes = (...names: string[]) => query('size', false, { type: 'string', enum: names });
    const before = contractWith({ parameters: [sizes('small')] });
    const after = contractWith({
      fields: { id, size: { type: ['integer', 'null'] }, name: id },
      parameters: [sizes('small', 'large'), query('near', false)],
    });
    after.paths['/streets'] = { get: { parameters: [query('town', true)], responses: {} } };
    expect(broken(before, after)).toEqual([]);
    expect(broken(before, before)).toEqual([]);
  });

  it.each([
    ['an endpoint', contractWith(), { ...contractWith(), paths: {} }, 'get /shops: exists'],
    ['a field', contractWith(), contractWith({ fields: { id } }), '200 application/json [].size'],
    [
      'the type of a field',
      contractWith(),
      contractWith({ fields: { id, size: { type: 'string' } } }),
      '200 application/json [].size: integer or null',
    ],
    [
      'the presence of a field',
      contractWith(),
      contractWith({ required: [] }),
      '[].id is always present',
    ],
    ['a status', contractWith(), contractWith({ status: 201 }), 'get /shops: 200'],
    [
      'a parameter',
      contractWith({ parameters: [query('near', false)] }),
      contractWith(),
      'query near',
    ],
    [
      'an enum member',
      contractWith({ parameters: [query('size', false, { enum: ['small', 'large'] })] }),
      contractWith({ parameters: [query('size', false, { enum: ['small'] })] }),
      'query size may be large',
    ],
  ])('must not remove %s', (_, before, after, line) => {
    expect(broken(before, after)).toContainEqual(expect.stringMatching(/^no longer: /));
    expect(broken(before, after).join('\n')).toContain(line);
  });

  it('must not require more input than before', () => {
    const after = contractWith({ parameters: [query('near', true)] });
    expect(broken(contractWith(), after)).toEqual(['newly required: get /shops: query near']);
  });

  it('may remove an operation from its sunset on, but not a day earlier', () => {
    const before = contractWith({ more: { deprecated: true, 'x-sunset': '2027-08-22' } });
    const after = { ...contractWith(), paths: {} };
    expect(brokenTerms(before, after, '2027-08-21')).not.toEqual([]);
    expect(brokenTerms(before, after, '2027-08-22')).toEqual([]);
  });

  it('handles recursive schemas', () => {
    const tree = contractWith({ fields: { id, parts: { $ref: '#/components/schemas/Shop' } } });
    expect(broken(tree, contractWith({ fields: { id } }))).not.toEqual([]);
  });
});
