import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeError } from '../../../src/base/observe/describe-error.ts';
import { testDatabase, testFolder } from '../../support/database.ts';

const { db } = await testDatabase('empty');
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error,
  );
const refusal = async (sql: string) => describeError(await failureOf(db.query(sql)));

it('explains what the database refused without its own words', async () => {
  const text = await refusal(`select '12.5'::integer`);
  expect(text).toMatch(/^The database refused a statement \(SQLSTATE 22P02\)\./);
  expect(text).not.toMatch(/syntax|integer/);
});

it('says which setting leads out of a read-only database', async () => {
  const failure = db.transaction(async (tx) => {
    await tx.query('set transaction read only');
    await tx.query(`insert into datasets (name, vintage, synthetic) values ('scores', '', true)`);
  });
  expect(describeError(await failureOf(failure))).toMatch(/read-only. Set DATABASE_URL/);
});

it('explains a busy database', async () => {
  expect(await refusal(`do $$ begin raise sqlstate '55P03'; end $$`)).toMatch(/Try again/);
});

it('explains files that are missing or folders', async () => {
  const folder = testFolder();
  const missing = join(folder, 'x.json');
  expect(describeError(await failureOf(readFile(missing)))).toBe(
    `There is no file or folder ${missing}. Check the path.`,
  );
  mkdirSync(missing);
  // Node doesn't say which folder it can't read as a file.
  expect(describeError(await failureOf(readFile(missing)))).not.toContain('\n');
});

it('explains a port in use', async () => {
  const first = createServer().listen(0, '127.0.0.1');
  await once(first, 'listening');
  const { port } = first.address() as AddressInfo;
  const [error] = await once(createServer().listen(port, '127.0.0.1'), 'error').catch((e) => [e]);
  expect(describeError(error)).toMatch(`Port ${port} is in use.`);
  first.close();
});

it('shows the stack of an unexpected error only if the log level asks for it', () => {
  const error = new TypeError('x is not a constructor');
  expect(describeError(error)).toBe(
    'Unexpected error: x is not a constructor. Set LOG_LEVEL=debug to see where it happened.',
  );
  expect(describeError(error, true)).toContain('\n    at ');
});
