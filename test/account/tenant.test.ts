import { expect, it } from 'vitest';
import { tenantIn, tenantOf } from '../../src/account/tenant.ts';
import type { Queryable } from '../../src/db/database.ts';
import { testDatabase } from '../support/database.ts';
import { newOrganization } from './organizations.ts';

const { db } = await testDatabase('empty');

it('sees the rows of its organisation and no others', async () => {
  const { organization, tenant } = await newOrganization(db);
  await newOrganization(db);
  expect(
    await tenant.query('select organization_id from plans where organization_id = $1'),
  ).toEqual([{ organization_id: organization.id }]);
});

it.each([
  'select * from brands',
  'select * from brands where organization_id = $2',
  'select * from brands where organization_id = $10',
  'update plans set seats = 9',
  'insert into brands (slug, organization_id) values ($2, $1)',
])('sends no statement that is not bound to the organisation: %s', async (sql) => {
  const nowhere: Queryable = {
    query: () => {
      throw new Error('it was sent');
    },
  };
  expect(() => tenantIn(nowhere, 'x').query(sql, ['a'])).toThrow('not bound to an organization');
});

it('lets nobody around it to the tables of organisations', () => {
  expect(() => tenantOf(db, 'x').common.query('select * from brands')).toThrow(
    'brands has rows of organizations',
  );
});

it('joins the transaction that it was made in', async () => {
  const { organization } = await newOrganization(db);
  const seats = () =>
    db.query('select seats from plans where organization_id = $1', [organization.id]);
  const before = await seats();
  await expect(
    db.transaction(async (tx) => {
      await tenantIn(tx, organization.id).transaction((inner) =>
        inner.query('update plans set seats = 77 where organization_id = $1'),
      );
      throw new Error('all of it is undone');
    }),
  ).rejects.toThrow('undone');
  expect(await seats()).toEqual(before);
});
