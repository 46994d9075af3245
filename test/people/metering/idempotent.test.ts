import { describe, expect, it } from 'vitest';
import { answerOnce } from '../../../src/people/metering/idempotent.ts';
import { revokeShareLink } from '../../../src/doors/tools/revoke-share-link.ts';
import { shareTerritoryMap } from '../../../src/doors/tools/share-territory-map.ts';
import type { ShareRecord } from '../../../src/doors/tools/support/share-record.ts';
import { testDatabase } from '../../support/database.ts';
import { organizationWith } from '../../territories/brands/organization.ts';
import { toolsFor } from '../../doors/tools/calls.ts';

const { db } = await testDatabase('empty');

describe('an idempotency key', () => {
  it('is kept for a day and then forgotten', async () => {
    const { tenant } = await organizationWith(db);
    const other = await organizationWith(db);
    const call = (of: typeof tenant, key: string, input = {}) =>
      of.transaction((tx) => answerOnce(tx, { tool: 'apply', key, input }, async () => ({ n })));
    const ago = (interval: string) =>
      tenant.query(
        `update idempotent_calls set called_at = called_at - $2::interval where organization_id = $1`,
        [interval],
      );

    let n = 1;
    for (const of of [tenant, other.tenant]) await call(of, 'a');
    await ago('23 hours 50 minutes');
    n = 2;
    expect(await call(tenant, 'a')).toEqual({ answer: { n: 1 }, repeated: true });
    await expect(call(tenant, 'a', { zip: 1 })).rejects.toMatchObject({ code: 'conflict' });

    await ago('20 minutes');
    expect(await call(tenant, 'a', { zip: 1 })).toEqual({ answer: { n: 2 }, repeated: false });
    expect(await call(tenant, 'a', { zip: 1 })).toEqual({ answer: { n: 2 }, repeated: true });
    expect(await call(other.tenant, 'a')).toEqual({ answer: { n: 1 }, repeated: true });
  });

  it('that expired does the work once for concurrent calls', async () => {
    const { tenant } = await organizationWith(db);
    let times = 0;
    const call = () =>
      tenant.transaction((tx) =>
        answerOnce(tx, { tool: 'apply', key: 'a', input: {} }, async () => ({ n: ++times })),
      );
    await call();
    await tenant.query(
      `update idempotent_calls set called_at = now() - interval '2 days' where organization_id = $1`,
    );
    const answers = await Promise.all([call(), call(), call(), call()]);
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(answers.map(({ answer }) => answer)).toEqual([2, 2, 2, 2].map((n) => ({ n })));
  });

  it('must not be empty', async () => {
    const { tenant } = await organizationWith(db, 'Star');
    const call = await toolsFor(db, tenant);
    for (const idempotencyKey of ['', ' ']) {
      const answer = await call(shareTerritoryMap, {
        brand: 'star',
        confirm: true,
        idempotencyKey,
      });
      expect(answer.data).toMatchObject({
        code: 'bad_request',
        error: expect.stringMatching(/at least 1 character/),
      });
    }
  });

  it('does not reveal a stored answer about a brand outside the scope', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star', 'Other');
    const wide = await toolsFor(db, tenant);
    const narrow = await toolsFor(db, tenant, { brands: [brands[1]] });
    const { data } = await wide(shareTerritoryMap, { brand: 'star', confirm: true });
    const { code } = data.share as ShareRecord;
    const revoking = { link: code, idempotencyKey: 'monday', confirm: true };
    expect(await wide(revokeShareLink, revoking)).toMatchObject({ data: { changed: true } });
    expect(await narrow(revokeShareLink, revoking)).toMatchObject({
      data: { code: 'brand_out_of_scope' },
    });
  });
});
