/** What a start says about secrets that are stored in plain text. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createLog } from '../../../src/base/observe/log.ts';
import { encryptAllStored } from '../../../src/run/start/stored-secrets.ts';
import { newOrganization } from '../../people/account/organizations.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('empty');
const databaseUrl = 'postgresql://db.example/territory';

async function warningsOf(settings: Parameters<typeof encryptAllStored>[1]): Promise<string[]> {
  const lines: string[] = [];
  await encryptAllStored(
    db,
    settings,
    createLog('info', { write: (line) => void lines.push(line) }),
  );
  return lines
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ level }) => level >= 40)
    .map(({ msg }) => msg);
}

it('each start on a database server without SECRET_KEY warns, whatever is stored', async () => {
  const said = expect.stringContaining('SECRET_KEY is not set');
  expect(await warningsOf({ secretKeys: [], databaseUrl })).toEqual([said]);
  const { tenant } = await newOrganization(db);
  await tenant.query(
    `insert into company_sign_ins (organization_id, issuer, client_id, client_secret)
     values ($1, 'https://login.example', 'id', 'plain')`,
  );
  expect(await warningsOf({ secretKeys: [], databaseUrl })).toEqual([said]);
});

it('a start with SECRET_KEY, or on the embedded database, warns of nothing', async () => {
  expect(await warningsOf({ secretKeys: [randomBytes(32)], databaseUrl })).toEqual([]);
  expect(await warningsOf({ secretKeys: [], databaseUrl: undefined })).toEqual([]);
});
