import { expect, it } from 'vitest';
import { tally } from '../../../src/base/observe/tally.ts';
import { placesFor } from '../../../src/base/outside/places.ts';

it('places of work are shared by organizations, and given back', async () => {
  const places = placesFor('webhooks', { count: 3, share: 2, ms: 60_000 });
  const ends: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => ends.push(resolve));
  const acme = [places.run('acme', wait), places.run('acme', wait)];
  const other = places.run('other', () => wait().then(() => Promise.reject(new Error('failed'))));
  expect([places.free(), places.full()]).toEqual([0, ['acme']]);
  ends.forEach((end) => end());
  await Promise.all(acme);
  await expect(other).rejects.toThrow('failed');
  expect([places.free(), places.full(), places.held().size]).toEqual([3, [], 0]);
});

it('work that never ends loses its place, and is counted', async () => {
  const places = placesFor('webhooks', { count: 1, share: 1, ms: 20 });
  const lostBefore = tally.lostPlaces.webhooks;
  let lost: AbortSignal | undefined;
  const never = places.run('acme', (signal) => {
    lost = signal;
    return new Promise(() => {});
  });
  await expect(never).rejects.toThrow('No end within 0.02 s');
  expect([places.free(), lost!.aborted]).toEqual([1, true]);
  expect(tally.lostPlaces.webhooks).toBe(lostBefore + 1);
});
