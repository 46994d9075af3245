import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setConfig } from '../../../../src/doors/site/workspace/browser/config.ts';
import type { WorkspaceConfig } from '../../../../src/doors/site/workspace/browser/page-config.ts';
import {
  getJson,
  postJson,
  requestEarly,
} from '../../../../src/doors/site/workspace/browser/requests.ts';

beforeAll(() => {
  vi.useFakeTimers();
  let count = 0;
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    count += 1;
    return Response.json({ count, method: init.method ?? 'GET' });
  });
  setConfig({ organization: { id: 'o', name: 'O' } } as WorkspaceConfig);
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('gives an early answer once, to the first GET of its address within 15 seconds', async () => {
  requestEarly('/plan');
  expect(await postJson('/plan', { name: 'Shore' })).toEqual({ count: 2, method: 'POST' });
  expect(await getJson('/live')).toEqual({ count: 3, method: 'GET' });
  expect(await getJson('/plan')).toEqual({ count: 1, method: 'GET' });
  expect(await getJson('/plan')).toEqual({ count: 4, method: 'GET' });
  requestEarly('/plan');
  vi.advanceTimersByTime(15_000);
  expect(await getJson('/plan')).toEqual({ count: 6, method: 'GET' });
});
