import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOrganization } from '../../../src/people/account/organizations.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import { adminCommands } from '../../support/many-commands.ts';

const { db, env } = await testDatabase('empty');
const runAdmin = adminCommands();
const { id } = await createOrganization(db, { name: 'Ours' });
const folder = testFolder();

const targeting = (command: string, ...args: string[]) =>
  runAdmin(['targeting', command, '--org', 'ours', '--vertical', 'moving', ...args], env);

describe('territory-admin targeting', () => {
  it('shows public weights, sets custom ones from a file or standard input, and resets them', async () => {
    const shown = await targeting('show');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/^Public weights for Moving:\n.*Weight +Signal +Meaning/);
    expect(shown.stdout).toMatch(/-0\.2 +ownerOccupiedPct/);

    const file = join(folder, 'weights.json');
    writeFileSync(file, '{"householdsTotal": 3, "medianAge": -1}');
    const set = await targeting('set', '--weights', file, '--json');
    const weights = { householdsTotal: 3, medianAge: -1 };
    const own = { vertical: 'moving', own: true, weights, among: 'nation' };
    expect(JSON.parse(set.stdout)).toEqual(own);
    expect(JSON.parse((await targeting('show', '--json')).stdout)).toEqual(own);

    const words = ['targeting', 'set', '--org', 'ours', '--vertical', 'moving', '--weights', '-'];
    const piped = execFileSync(process.execPath, [compiledModule('run/admin.ts'), ...words], {
      input: '{"medianAge": -2}',
      env: { PATH: process.env.PATH, ...env },
    });
    expect(piped.toString()).toMatch(/^Own weights for Moving:\n.*\n +-2 +medianAge/);

    expect(JSON.parse((await targeting('reset', '--json')).stdout)).toMatchObject({ own: false });
    const { rows } = await listActivity(tenantOf(db, id), 'all');
    expect(rows.map(({ action, actor }) => [action, actor.kind])).toEqual([
      ['targeting_reset', 'operator'],
      ['targeting_set', 'operator'],
      ['targeting_set', 'operator'],
    ]);
  });

  it('rejects invalid weights with the reason', async () => {
    const file = join(folder, 'wrong.json');
    for (const [content, why] of [
      ['{"medianAge": 0}', /weight of medianAge must be a number/],
      ['{"age": 1}', /no signal "age"/],
      ['medianAge: 1', /is not valid JSON/],
    ] as const) {
      writeFileSync(file, content);
      const { code, stderr } = await targeting('set', '--weights', file);
      expect(code).toBe(1);
      expect(stderr).toMatch(why);
    }
    expect((await targeting('set', '--weights', join(folder, 'none.json'))).stderr).toMatch(
      /none\.json/,
    );
    expect(JSON.parse((await targeting('show', '--json')).stdout)).toMatchObject({ own: false });
  });
});
