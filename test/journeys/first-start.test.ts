/** A first start in an empty folder, and later starts. */
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import { testDatabase, testFolder } from '../support/database.ts';
import { runAdmin, startListening, startService } from '../support/processes.ts';
import { PASSWORD, Visitor } from '../support/visitor.ts';

// Only an embedded database loads sample data automatically.
const settings: Record<string, string> = inject('testServer')
  ? { ...(await testDatabase('blank')).env, SAMPLE_DATA: 'always' }
  : { DATA_DIR: testFolder() };

const health = async (url: string) => {
  const response = await fetch(`${url}/healthz`);
  return [
    response.status,
    (await response.json()) as { status: string; progress?: { stage: string } },
  ] as const;
};

describe('the first start', () => {
  it('loads sample data, suggests what to try, serves, and stops cleanly', async () => {
    const service = await startListening(settings);
    const { url } = service;
    const stage = async () => {
      // If the service has exited, this fails with its output.
      const [status, { progress }] = await health(url).catch(() =>
        service.ready.then(() => health(url)),
      );
      return status === 503 ? progress?.stage : 'ready';
    };
    expect(await stage()).toBe('Opening the database');
    const page = await fetch(url, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(503);
    expect(await page.text()).toMatch(/http-equiv="refresh"[^]*is starting[^]*<progress/);
    const data = await fetch(`${url}/map-context`);
    expect([data.status, data.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(await data.json()).toMatchObject({
      error: expect.stringMatching(/^The service is starting .* Try again in a moment\.$/),
      code: 'unavailable',
    });
    await expect.poll(stage).not.toBe('Opening the database');

    // Another process that starts at the same time waits for this one.
    const another = await startListening(settings);
    await Promise.all([service.ready, another.ready]);
    expect(await health(another.url)).toEqual([200, { status: 'ok' }]);
    // Each start makes a new link for an owner without a password. The last one works.
    const link = /\/password\/svc_password_\w+/;
    await expect.poll(another.output).toMatch(link);
    const ownerPath = link.exec(another.output())![0];
    expect(another.output()).not.toMatch(/Preparing national sample data|svc_live_/);
    expect(await another.stop()).toBe(0);

    expect(service.output()).toContain('Preparing national sample data');
    expect(service.output()).toContain(
      'Loaded Sample data (synthetic; not ACS): 33,791 ZIP codes.',
    );
    await expect.poll(() => service.output()).toContain('Try next');
    const [key, ...others] = service.output().match(/^ +svc_live_\w+$/gm) ?? [];
    expect(others).toEqual([]);
    expect(service.output()).toContain(`'Authorization: Bearer ${key?.trim()}'`);
    const owner = new Visitor(service.url);
    expect(await owner.post(ownerPath, { password: PASSWORD })).toMatchObject({ status: 303 });
    expect((await owner.get('/account')).html).toContain('Dana Reyes');
    expect(await health(service.url)).toEqual([200, { status: 'ok' }]);
    expect(await service.stop()).toBe(0);
    expect(service.output()).toContain('"stopped"');
  }, 900_000);

  it('is followed by starts that reuse the data', async () => {
    const service = await startService(settings);
    await expect
      .poll(() => service.output())
      .toContain('npx territory-admin key mint --org demo --write');
    expect(service.output()).not.toMatch(/Preparing|svc_/);
    expect(service.output()).toContain('Sign in to the demo organization as dana@demo.example at');
    expect(service.output()).toMatch(/ {2}http:\/\/\S+\/login\n/);
    expect(await health(service.url)).toEqual([200, { status: 'ok' }]);

    // territory-admin works while the service runs.
    const picture = join(testFolder(), 'map.png');
    const render = await runAdmin(
      ['render', '--metro', 'dallas-tx', '--vertical', 'roofing', '-o', picture],
      settings,
    );
    expect(render).toMatchObject({ code: 0, stderr: '' });
    expect(render.stdout).toMatch(/map\.png: \d+ ZIP codes, \d+ with a score \(Sample data/);
    expect(await sharp(picture).metadata()).toMatchObject({ width: 1200, height: 800 });
    expect(await health(service.url)).toEqual([200, { status: 'ok' }]);
    expect(await service.stop('SIGINT')).toBe(0);
  });
});

describe('a start with invalid settings', () => {
  it('names every invalid setting and ends', async () => {
    const failure = await startService({ PORT: 'many', LOG_LEVEL: 'loud' }).catch((e: Error) => e);
    expect(String(failure)).toMatch(/PORT must be a whole number[^]*LOG_LEVEL must be/);
  });
});

describe('a start without its database', () => {
  it('serves as degraded and retries', async () => {
    const service = await startService({
      DATABASE_URL: 'postgresql://nobody:hunter2@127.0.0.1:1/none',
    });
    expect(await health(service.url)).toEqual([503, { status: 'degraded' }]);
    await expect.poll(service.output).toContain('the database can’t be reached');
    expect(service.output()).not.toContain('hunter2');
    expect(await service.stop()).toBe(0);
  });
});
