import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { newConnectorSecret, newKey } from '../../../src/people/account/key-text.ts';
import { createLog } from '../../../src/base/observe/log.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { loggedPath } from '../../../src/doors/http/requests/request-log.ts';
import { leaksIn } from '../../support/leaks.ts';

const key = newKey();
const token = newConnectorSecret('refresh');

function logged(fields: object, message: string): string {
  let lines = '';
  createLog('trace', { write: (line) => (lines += line) }).error(fields, message);
  return lines;
}

it.each([
  ['a path', { path: `/api/agent/${key}` }],
  ['the id of a request', { requestId: key }],
  ['an error and its cause', { err: new Error(`no ${key}`, { cause: new Error(`for ${key}`) }) }],
  ['a nested list', { a: [{ b: `${key} ${key}` }] }],
])('removes API keys from every part of a log line: %s', (_where, fields) => {
  const line = logged(fields, `at ${key}`);
  expect(line).not.toContain(key.slice('svc_live_'.length));
  expect(line).toContain('at svc_live_…');
  expect(leaksIn([line])).toEqual([]);
});

it('removes connector tokens', () => {
  const line = logged({ err: new Error(`no ${token}`) }, 'failed');
  expect(line).toContain('no svc_refresh_…');
  expect(leaksIn([line])).toEqual([]);
});

it.each([
  ['/api/shared/7d3f2a10-5b8e-4c67-9f21-6e0d4b9a8c35/meta', '/api/shared/7d3…/meta'],
  ['/SHARED/4f7k2m9x0q/tiles/3/1/2.mvt', '/SHARED/4f7…/tiles/3/1/2.mvt'],
  ['/api/shared/%37d3f2a10-5b8e-4c67-9f21-6e0d4b9a8c35', '/api/shared/%37…'],
  ['/s/4f7k2m9x0q', '/s/4f7…'],
  ['/p/4f7k2m9x0q', '/p/4f7…'],
  ['/api/shared-plans/4f7k2m9x0q/map.png', '/api/shared-plans/4f7…/map.png'],
  ['/account/shares/4f7k2m9x0q/revoke', '/account/shares/4f7…/revoke'],
  ['/api/shared', '/api/shared'],
  [
    '/api/static/light/share:4f7k2m9x0q/auto/600x400.png',
    '/api/static/light/share:4f7…/auto/600x400.png',
  ],
  ['/api/static/light/share%3A4f7k2m9x0q/auto/1.png', '/api/static/light/share%3A4f7…/auto/1.png'],
  ['/unsubscribe/Zk3-9_xWq', '/unsubscribe/Zk3…'],
  ['/unsubscribe//Zk3-9_xWq.', '/unsubscribe//Zk3…'],
  ['/password/forgot', '/password/forgot'],
])('shortens the token of a link in a path: %s', (path, redacted) => {
  expect(loggedPath(path)).toBe(redacted);
  expect(leaksIn([JSON.stringify({ path: redacted })])).toEqual([]);
});

it('detects keys and tokens in the log after a test run', () => {
  const leaking = [
    JSON.stringify({ level: 30, requestId: key }),
    JSON.stringify({ level: 30, path: '/api/shared/4f7k2m9x0q/meta' }),
    JSON.stringify({ level: 30, path: '/s/4f7k2m9x0q' }),
    JSON.stringify({ level: 30, path: '/connect/4f7k2m9x0q' }),
    JSON.stringify({ level: 30, path: '/unsubscribe/4f7k2m9x0q' }),
    JSON.stringify({ level: 30, path: '/static/light/share:4f7k2m9x0q/auto/600x400.png' }),
    JSON.stringify({ level: 50, err: { message: `no ${token}` } }),
  ];
  const clean = [
    JSON.stringify({ level: 30, path: '/api/shared/4f7…/meta', status: 404 }),
    JSON.stringify({ level: 30, path: '/authorize/4f7…', status: 303 }),
    JSON.stringify({ level: 50, err: { stack: 'at openShare (/src/http/shared/answers.ts:3:1)' } }),
  ];
  expect(leaksIn([...leaking, ...clean])).toEqual(leaking);
});

it.each(['', 'process.exit(3)', 'throw new Error()'])(
  'writes all lines before the end: %s',
  (end) => {
    const script = `import { createLog } from ${JSON.stringify(compiledModule('base/observe/log.ts'))};
    const log = createLog('info');
    for (let i = 0; i < 1000; i++) log.info({ i }, 'a line');
    ${end}`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    const lines = String(stdout).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { i: number }).i)).toEqual([...lines.keys()]);
    expect(lines).toHaveLength(1000);
  },
);
