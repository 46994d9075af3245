import { expect, it } from 'vitest';
import { openStreets } from '../../../src/data/streets/streets.ts';
import { freePort } from '../../support/servers/free-port.ts';

it('logs the address of the archive without its password and key', async () => {
  const host = `127.0.0.1:${await freePort()}`;
  const warnings: { address: string; problem: string }[] = [];
  const streets = await openStreets(`http://me:hunter2@${host}/us.pmtiles?key=hunter2`, {
    info: () => {},
    warn: (facts) => void warnings.push(facts),
  });
  await streets.close();
  expect(warnings).toEqual([
    { address: `http://${host}/us.pmtiles`, problem: expect.stringContaining('ECONNREFUSED') },
  ]);
});
