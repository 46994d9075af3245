/**
 * The contract as it stands, held against what was promised: fixtures/contract has the document of
 * each version, its operations' sunsets as `x-sunset`. UPDATE=1 stores the current one, unless it
 * breaks a promise.
 */
import { mkdirSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/app.ts';
import { checkDeprecation } from '../../src/contract/deprecation.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { SERVICE_VERSION } from '../../src/contract/version.ts';
import { projectFile } from '../../src/paths.ts';
import { bareParts } from '../support/bare-app.ts';
import { brokenTerms, termsOf, type StoredContract } from './changes.ts';

const FOLDER = projectFile('fixtures/contract');
const ROOTS = { api: 'https://territory.example.com', site: 'https://territory.example.com' };
const today = new Date().toISOString().slice(0, 10);
const all = operations(bareParts({ apiRoot: () => ROOTS.api }));

/** As it is stored. */
function currentContract(): StoredContract {
  const contract = openApiDocument(all, ROOTS) as unknown as StoredContract;
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

describe('the contract', () => {
  const current = currentContract();

  it('keeps every promise of the last version, and demands nothing new', () => {
    const last = storedVersions().at(-1);
    const broken = last === undefined ? [] : brokenTerms(stored(last), current, today);
    expect(broken).toEqual([]);
    if (process.env['UPDATE']) store(current);
  });

  it('is stored with all that it promises: UPDATE=1 stores what has come', () => {
    expect(storedVersions().at(-1)).toBe(SERVICE_VERSION);
    expect(termsOf(stored(SERVICE_VERSION))).toEqual(termsOf(current));
  });

  it('gives at least a year to whatever is to go', () => {
    const check = () => all.forEach(({ deprecated }) => deprecated && checkDeprecation(deprecated));
    expect(check).not.toThrow();
  });
});

/** A small contract. */
function town({
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

  it('may bring endpoints, fields, optional parameters and choices', () => {
    const sizes = (...names: string[]) => query('size', false, { type: 'string', enum: names });
    const before = town({ parameters: [sizes('small')] });
    const after = town({
      fields: { id, size: { type: ['integer', 'null'] }, name: id },
      parameters: [sizes('small', 'large'), query('near', false)],
    });
    after.paths['/streets'] = { get: { parameters: [query('town', true)], responses: {} } };
    expect(broken(before, after)).toEqual([]);
    expect(broken(before, before)).toEqual([]);
  });

  it.each([
    ['an endpoint', town(), { ...town(), paths: {} }, 'get /shops: is there'],
    ['a field', town(), town({ fields: { id } }), '200 application/json [].size'],
    [
      'the type of a field',
      town(),
      town({ fields: { id, size: { type: 'string' } } }),
      '200 application/json [].size: integer or null',
    ],
    ['that a field is always there', town(), town({ required: [] }), '[].id is always there'],
    ['a status', town(), town({ status: 201 }), 'get /shops: 200'],
    ['a parameter', town({ parameters: [query('near', false)] }), town(), 'query near'],
    [
      'a choice',
      town({ parameters: [query('size', false, { enum: ['small', 'large'] })] }),
      town({ parameters: [query('size', false, { enum: ['small'] })] }),
      'query size may be large',
    ],
  ])('must not take away %s', (_, before, after, line) => {
    expect(broken(before, after)).toContainEqual(expect.stringMatching(/^no longer: /));
    expect(broken(before, after).join('\n')).toContain(line);
  });

  it('must not demand more than before', () => {
    const after = town({ parameters: [query('near', true)] });
    expect(broken(town(), after)).toEqual(['newly demanded: get /shops: query near']);
  });

  it('may take away what has passed its sunset, and not a day before', () => {
    const before = town({ more: { deprecated: true, 'x-sunset': '2027-08-22' } });
    const after = { ...town(), paths: {} };
    expect(brokenTerms(before, after, '2027-08-21')).not.toEqual([]);
    expect(brokenTerms(before, after, '2027-08-22')).toEqual([]);
  });

  it('follows fields that hold their own kind', () => {
    const tree = town({ fields: { id, parts: { $ref: '#/components/schemas/Shop' } } });
    expect(broken(tree, town({ fields: { id } }))).not.toEqual([]);
  });
});
