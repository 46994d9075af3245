/** Locators of an organization: what they answer for, their words, and what customers asked. */
import { describe, expect, it } from 'vitest';
import {
  createGroup,
  deleteGroup,
  updateGroup,
} from '../../../src/territories/brands/groups/groups.ts';
import {
  countAsked,
  countQuestion,
  unservedZips,
} from '../../../src/territories/serving/locator-questions.ts';
import { languageOf, wordsIn } from '../../../src/territories/serving/locator-words.ts';
import {
  changeLocator,
  createLocator,
  findLocator,
  listLocators,
  openLocator,
  revokeLocator,
  type LocatorFields,
} from '../../../src/territories/serving/locators.ts';
import { memoryLimiter } from '../../../src/people/metering/limiter.ts';
import { countAsking } from '../../../src/territories/serving/locator-limits.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { testDatabase } from '../../support/database.ts';
import { agent, organizationWith } from '../brands/organization.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'North', 'South');
const [north, south] = brands;

const create = (fields: LocatorFields = {}) =>
  tenant.transaction((tx) => createLocator(tx, agent, { title: 'Website', ...fields }));
const change = (code: string, fields: LocatorFields) =>
  tenant.transaction((tx) => changeLocator(tx, agent, code, fields));
const slugs = ({ brands: some }: { brands: readonly { slug: string }[] }) =>
  some.map(({ slug }) => slug);

describe('a locator', () => {
  it('answers for all brands, also later ones, for those of a group, or for chosen ones', async () => {
    const all = await create();
    const chosen = await create({ brands: ['South'] });
    expect([all.allBrands, slugs(all), slugs(chosen)]).toEqual([
      true,
      ['north', 'south'],
      ['south'],
    ]);
    const group = await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Franchisees', rule: 'warn', brands: ['north'] }),
    );
    const grouped = await create({ group: 'franchisees' });
    expect([grouped.group?.name, slugs(grouped)]).toEqual(['Franchisees', ['north']]);
    await createBrand(tenant, { name: 'East' });
    await tenant.transaction((tx) =>
      updateGroup(tx, agent, group.id, { brands: ['east', 'south'] }),
    );
    expect(slugs(await findLocator(tenant, all.code))).toEqual(['east', 'north', 'south']);
    expect(slugs(await findLocator(tenant, grouped.code))).toEqual(['east', 'south']);
    expect(slugs(await findLocator(tenant, chosen.code))).toEqual(['south']);
  });

  it('continues with the brands of a group that is deleted, because it is part of a website', async () => {
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Stores', rule: 'warn', brands: ['north'] }),
    );
    const { code } = await create({ group: 'Stores' });
    await tenant.transaction((tx) => deleteGroup(tx, agent, 'Stores'));
    expect(await findLocator(tenant, code)).toMatchObject({
      group: null,
      allBrands: false,
      brands: [{ slug: 'north' }],
    });
  });

  it('keeps what a change doesn’t name', async () => {
    const before = await create({
      brands: [north.id],
      accent: '#1D6F74',
      candidateEmail: 'growth@example.com',
      vertical: 'roofing',
      words: { en: { heading: 'Find us', button: 'Go' }, es: { heading: ' Búsquenos ' } },
    });
    const after = await change(before.code, { title: 'Site', words: { en: { button: '' } } });
    expect(after).toMatchObject({
      title: 'Site',
      accent: '#1d6f74',
      candidateEmail: 'growth@example.com',
      vertical: 'roofing',
      brands: [{ slug: 'north' }],
      words: { en: { heading: 'Find us' }, es: { heading: 'Búsquenos' } },
    });
    expect(after.words.en).not.toHaveProperty('button');
    const open = await change(before.code, { brands: null, candidateEmail: null, accent: null });
    expect(open).toMatchObject({ allBrands: true, candidateEmail: null, accent: null });
  });

  it.each<[string, LocatorFields]>([
    ['a name', { title: ' ' }],
    ['contrast', { accent: '#ffff00' }],
    ['email', { candidateEmail: 'nobody' }],
    ['at most 30', { words: { es: { button: 'x'.repeat(31) } } }],
    ['not both', { group: 'Franchisees', brands: ['north'] }],
    ['no brand "west"', { brands: ['west'] }],
  ])('refuses invalid fields: %s', async (words, fields) => {
    await expect(create(fields)).rejects.toThrow(words);
  });

  it('opens for the public by its token, code, or address until it is revoked', async () => {
    const { id, code } = await create({ brands: [south.id] });
    for (const ref of [id, code, code.toUpperCase(), `https://example.com/find/${code}?lang=es`]) {
      expect((await openLocator(db, ref)).locator.id).toBe(id);
    }
    const revoked = await tenant.transaction((tx) => revokeLocator(tx, agent, code));
    expect(revoked.status).toBe('revoked');
    for (const ref of [id, code, 'nothing']) {
      await expect(openLocator(db, ref)).rejects.toThrow('There is no locator at this address');
    }
    await expect(change(code, { title: 'Again' })).rejects.toThrow('can’t be changed');
    expect((await listLocators(tenant)).at(-1)!.status).toBe('revoked');
  });

  it('is out of reach for people with only some brands', async () => {
    const some = tenantOf(db, tenant.organizationId, new Set([north.id]));
    expect(await listLocators(some)).toEqual([]);
  });
});

it('counts questions by ZIP code and day, and lists those that no brand serves, the most wanted first', async () => {
  const locator = await create();
  for (const zip of ['75034', '00501', '75034']) await countQuestion(tenant, locator, zip, false);
  await countQuestion(tenant, locator, '75201', true);
  await tenant.query(
    `update locator_questions set day = day - 40 where organization_id = $1 and zip = '00501'`,
  );
  expect((await countAsked(tenant)).get(locator.id)).toEqual({ asked: 3, unserved: 2 });
  const today = new Date().toISOString().slice(0, 10);
  const [first, second, ...others] = await unservedZips(tenant, locator);
  expect(first).toEqual({ zip: '75034', place: 'Frisco, TX', times: 2, lastDay: today });
  expect([second!.zip, others]).toEqual(['00501', []]);
  expect(await unservedZips(tenant, locator, 1)).toHaveLength(1);
});

describe('the limits of visitors', () => {
  const limiter = memoryLimiter();
  const asks = (client: string, question: string, organizationId = 'a') =>
    countAsking({ limiter, client }, { organizationId }, question);
  const answered = async (questions: Iterable<Promise<boolean>>) =>
    (await Promise.allSettled(questions)).filter(({ status }) => status === 'fulfilled').length;

  it('count different questions, of each organization separately', async () => {
    const client = '192.0.2.1';
    expect([await asks(client, '75201'), await asks(client, '75201')]).toEqual([true, false]);
    const more = Array.from({ length: 12 }, (_, i) => asks(client, String(75300 + i)));
    expect(await answered(more)).toBe(9);
    await expect(asks(client, '75400')).rejects.toThrow(
      'asked about many places. Try again in an hour',
    );
    expect(await asks(client, '75400', 'b')).toBe(true);
  });

  it.each([
    ['IPv6', (i: number) => `2001:db8:77:${(i >> 3).toString(16)}::/64`, '2001:db8:78:1::/64'],
    ['IPv4', (i: number) => `198.51.100.${i >> 3}`, '198.51.101.1'],
  ])('hold for the owner of an %s network with many addresses', async (_, clientAt, other) => {
    const questions = Array.from({ length: 320 }, (_, i) => asks(clientAt(i), String(75000 + i)));
    expect(await answered(questions)).toBe(300);
    expect(await asks(other, '75201')).toBe(true);
  });
});

describe('the language', () => {
  it.each([
    ['es', 'en-US', 'es'],
    ['fr', 'es-MX,es;q=0.9', 'es'],
    [undefined, 'fr,es;q=0.4,en;q=0.5', 'en'],
    [undefined, 'en;q=0,es;q=0.1', 'es'],
    [undefined, 'de', 'en'],
    [undefined, '', 'en'],
  ])('for lang %s and Accept-Language "%s" is %s', (chosen, accepted, language) => {
    expect(languageOf(chosen, accepted)).toBe(language);
  });

  it('has words of the organization where it gave some, and ours elsewhere', () => {
    const own = { es: { heading: 'Encuentre su techador' } };
    expect(wordsIn(own, 'es', false)).toMatchObject({
      heading: 'Encuentre su techador',
      label: 'Código postal',
      button: 'Buscar',
    });
    expect(wordsIn(own, 'en', true)).toMatchObject({ label: 'ZIP code or address' });
  });
});
