import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openDatabase } from '../../../src/base/db/database.ts';
import { prepare, retryToPrepare } from '../../../src/run/start/preparation.ts';
import { welcome } from '../../../src/run/start/welcome.ts';
import { testLog } from '../../support/log.ts';

/** A database server that refuses all connections. @returns its URL */
async function refusingDatabase(code: () => string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const fields = `SFATAL\0VFATAL\0C${code()}\0Mrefused\0\0`;
      const header = Buffer.from('E\0\0\0\0');
      header.writeUInt32BE(4 + fields.length, 1);
      socket.end(Buffer.concat([header, Buffer.from(fields)]));
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `postgresql://territory:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/db`;
}

it('logs once why the database can’t be used, and again when the reason changes', async () => {
  let code = '28P01';
  let attempts = 0;
  const url = await refusingDatabase(() => {
    attempts++;
    return code;
  });
  const config = readConfig({ DATABASE_URL: url });
  const lines: string[] = [];
  const reasons = () => lines.map((line) => (JSON.parse(line) as { reason: string }).reason);
  const log = testLog((line) => lines.push(line));
  const stopping = new AbortController();
  const retrying = retryToPrepare(
    await prepare(config, () => {}, stopping.signal),
    config,
    log,
    stopping.signal,
  );
  const password =
    'The database refuses the password. Check the user and password in DATABASE_URL.';
  await expect.poll(() => attempts).toBe(2);
  expect(reasons()).toEqual([password]);
  code = '3D000';
  await expect
    .poll(reasons)
    .toEqual([password, expect.stringContaining('no database of that name')]);
  stopping.abort();
  expect(await retrying).toBeNull();
});

it('shows the address even if the database fails right after the start', async () => {
  const config = readConfig({ DATABASE_URL: await refusingDatabase(() => '57P03') });
  const db = await openDatabase(config);
  onTestFinished(() => db.close());
  const printed: unknown[] = [];
  const output = vi.spyOn(process.stdout, 'write');
  output.mockImplementation((text) => printed.push(text) > 0);
  const lines: string[] = [];
  const log = testLog((line) => lines.push(line));
  const shown = welcome(db, config, 8765, { demo: true, made: null }, log);
  await shown.finally(() => output.mockRestore());
  expect(printed).toEqual(['\nTerritory Intelligence is at http://localhost:8765\n\n']);
  expect(lines).toEqual([expect.stringContaining('what to try next is not shown')]);
});
