import { expect, it } from 'vitest';
import { tenantIn, tenantOf } from '../../src/account/tenant.ts';
import type { Queryable } from '../../src/db/database.ts';
import { testDatabase } from '../support/database.ts';
import { newOrganization } from './organizations.ts';

const { db } = await testDatabase('empty');

it('returns only the rows of its organization', async () => {
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
])('refuses to send a statement that is not bound to the organization: %s', async (sql) => {
  const nowhere: Queryable = {
    query: () => {
      throw new Error('the statement was sent');
    },
  };
  expect(() => tenantIn(nowhere, 'x').query(sql, ['a'])).toThrow('not bound to an organization');
});

it('refuses tables with rows of organizations in common queries', () => {
  expect(() => tenantOf(db, 'x').common.query('select * from brands')).toThrow(
    'brands has rows of organizations',
  );
});

it('joins the open transaction', async () => {
  const { organization } = await newOrganization(db);
  const seats = () =>
    db.query('select seats from plans where organization_id = $1', [organization.id]);
  const before = await seats();
  await expect(
    db.transaction(async (tx) => {
      await tenantIn(tx, organization.id).transaction((inner) =>
        inner.query('update plans set seats = 77 where organization_id = $1'),
      );
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  expect(await seats()).toEqual(before);
});
