import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { createGroup } from '../../../src/territories/brands/groups/groups.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { testDatabase } from '../../support/database.ts';
import { adminCommands } from '../../support/many-commands.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, DALLAS, organizationWith } from '../../territories/brands/organization.ts';

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

  it('and review approve say what the rule of a group refuses', async () => {
    const { tenant, brands, slug } = await organizationWith(db, 'Star', 'Moon');
    const [star, moon] = brands;
    const [a, b, c] = DALLAS as [string, string, string];
    await addMember(tenant, { email: 'rita@undo.example', name: 'Rita', role: 'reviewer' });
    await hold(tenant, star, [a, b]);
    const { removalId } = await tenant.transaction((tx) =>
      removeZips(tx, agent, star, { zips: [a, b] }),
    );
    await hold(tenant, star, [b, c], 'pending');
    await hold(tenant, moon, [a, b]);
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'All', rule: 'block', brands: [star.id, moon.id] }),
    );
    const why = 'held by Moon, and the group "All" blocks overlaps';
    const approve = ['review', 'approve', '--org', slug, '--as', 'rita@undo.example'];
    expect(await runAdmin([...approve, '--brand', 'Star'], env)).toMatchObject({
      code: 0,
      stdout: `${c} of Star: approved.\n${b} of Star: still pending, ${why}.\n`,
    });
    const undone = await runAdmin(['undo', removalId, '--org', slug], env);
    expect(undone).toMatchObject({ code: 1, stdout: '' });
    expect(undone.stderr).toContain(`Nothing was restored: ${a}: ${why}.`);
  });
});
