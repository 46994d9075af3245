import { describe, expect, it } from 'vitest';
import { fairShares } from '../../../src/base/db/database.ts';

const WAIT_MS = 20;

describe('a fair share', () => {
  it('gives each organization its places, and no more', async () => {
    const placeOf = fairShares(2);
    await placeOf('ours', WAIT_MS);
    await placeOf('ours', WAIT_MS);
    await expect(placeOf('ours', WAIT_MS)).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/Too many calls of your organization/),
    });
    await placeOf('theirs', WAIT_MS);
  });

  it('hands a place to the next in line, and skips those that gave up', async () => {
    const placeOf = fairShares(1);
    const leave = await placeOf('ours', WAIT_MS);
    const order: string[] = [];
    const late = placeOf('ours', 0).catch(() => order.push('gave up'));
    const second = placeOf('ours', 10_000).then((leave) => (order.push('second'), leave));
    const third = placeOf('ours', 10_000).then((leave) => (order.push('third'), leave));
    await late;
    leave();
    (await second)();
    (await third)();
    expect(order).toEqual(['gave up', 'second', 'third']);
    await placeOf('ours', WAIT_MS);
  });
});
