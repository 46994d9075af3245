import { expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import { tenantIn } from '../../../src/people/account/tenant.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { testDatabase } from '../../support/database.ts';
import { newOrganization, person } from './organizations.ts';

const { db } = await testDatabase('empty');

it('has access only to the rows of its organization, even if a statement names another', async () => {
  const { tenant } = await newOrganization(db);
  const { tenant: theirs } = await newOrganization(db);
  const brand = await createBrand(tenant, { name: 'Ours' });
  await createBrand(theirs, { name: 'Theirs' });
  const brands = await tenant.query('select id from brands where organization_id = $1 or true');
  expect(brands).toEqual([{ id: brand.id }]);
  await tenant.query(`update brands set name = 'Taken' where organization_id = $1 or true`);
  expect(await theirs.common.query('select name from brands')).toEqual([{ name: 'Theirs' }]);
  expect(await tenant.common.query('select name from brands')).toEqual([{ name: 'Taken' }]);
});

it('refuses to write a row of another organization', async () => {
  const { tenant } = await newOrganization(db);
  const theirs = await newOrganization(db);
  const insert = tenant.common.query(
    `insert into brands (organization_id, slug, name) values ($1, 'planted', 'Planted')`,
    [theirs.organization.id],
  );
  await expect(insert).rejects.toThrow('row-level security policy for table "brands"');
});

it('refuses tables with rows of people', async () => {
  const { tenant } = await newOrganization(db);
  await expect(tenant.common.query('select from sessions')).rejects.toThrow('permission denied');
});

it('adds a person of another organization, who is invisible before', async () => {
  const { tenant } = await newOrganization(db);
  const theirs = await newOrganization(db);
  const { id, email } = await addMember(theirs.tenant, person('Ann'));
  const find = () => tenant.common.query('select id from people where email = $1', [email]);
  expect(await find()).toEqual([]);
  await addMember(tenant, person('Ann'));
  expect(await find()).toEqual([{ id }]);
});

it('continues an open transaction, which rolls back as a whole', async () => {
  const { organization, tenant } = await newOrganization(db);
  const seats = () => tenant.query('select seats from plans where organization_id = $1');
  const before = await seats();
  await expect(
    db.transaction(async (tx) => {
      const inside = tenantIn(tx, organization.id);
      await inside.transaction((inner) => inner.query('update plans set seats = 77 where $1 = $1'));
      expect(await tx.query('select seats from plans')).toEqual([{ seats: 77 }]);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await seats()).toEqual(before);
});
