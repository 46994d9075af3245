import { describe, expect, it } from 'vitest';
import { applyZips } from '../../src/territory/apply.ts';
import { listActivity } from '../../src/territory/activity.ts';
import { removeZips } from '../../src/territory/remove.ts';
import { testDatabase } from '../support/database.ts';
import { adminCommands } from '../support/many-commands.ts';
import { agent, DALLAS, organizationWith } from '../territory/organization.ts';

describe('territory-admin undo', async () => {
  const { db, env } = await testDatabase('sample');
  const runAdmin = adminCommands();

  it('restores the ZIP codes once, prints each outcome, and records the activity', async () => {
    const { tenant, brands, slug } = await organizationWith(db, 'Star', 'Moon');
    const zips = DALLAS.slice(0, 2);
    const apply = (brand: (typeof brands)[number], some: string[]) =>
      tenant.transaction((tx) => applyZips(tx, agent, brand, { zips: some }));
    await apply(brands[0], zips);
    const { removalId } = await tenant.transaction((tx) =>
      removeZips(tx, agent, brands[0], { zips }),
    );
    await apply(brands[1], [zips[0]!]);
    await apply(brands[0], [zips[1]!]);

    const undo = () => runAdmin(['undo', removalId, '--org', slug], env);
    expect(await undo()).toMatchObject({
      code: 0,
      stdout:
        `${zips[0]} of Star: pending again, shared with Moon.\n` +
        `${zips[1]} of Star: unchanged, already pending.\n`,
    });
    expect((await listActivity(tenant, 'all', {}, { limit: 1 })).rows).toMatchObject([
      { action: 'removal_undone', actor: { kind: 'operator', name: 'territory-admin' } },
    ]);
    const again = await undo();
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('This removal was already undone');
  });
});
