/** Requests to servers that never finish an answer: each ends, whatever the server does. */
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findAuthorizationServer } from '../../../src/doors/cli/territory/login/oauth.ts';
import { callApi } from '../../../src/doors/cli/territory/call.ts';
import { downloadAcs } from '../../../src/data/ingest/census-api.ts';
import { downloadFile } from '../../../src/data/ingest/census-download/download-file.ts';
import { Findings } from '../../../src/data/ingest/report.ts';
import { smtpAt } from '../../../src/people/mail/smtp.ts';
import { attempt } from '../../../src/territories/notify/webhooks/attempt.ts';
import { askServerAt } from '../../../src/base/outside/ask-server.ts';
import { within } from '../../../src/base/outside/deadline.ts';
import { exchange } from '../../../src/base/outside/exchange.ts';
import { geocoderFrom } from '../../../src/data/geocoding/geocoder.ts';
import { issuerFetch } from '../../../src/base/outside/issuer-fetch.ts';
import { publicFetch } from '../../../src/base/outside/public-fetch.ts';
import { openByteRanges } from '../../../src/data/streets/byte-ranges.ts';
import { networkList } from '../../../src/base/text/networks.ts';
import { ENDLESS, endlessServer, switchProtocols } from '../../support/servers/endless.ts';

const MS = 200;
const LIMITS = { ms: MS, bytes: 10_000_000 };
const folder = await mkdtemp(join(tmpdir(), 'endless-'));
afterAll(() => rm(folder, { recursive: true }));
const plain = publicFetch({ isAllowed: () => true, isPlain: () => true });

/** The ways in which requests leave the service. Each gets the server's address. */
const WAYS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'a request': (url) => exchange(url, {}, LIMITS),
  'a request to an address of strangers': (url) => exchange(url, {}, LIMITS, plain),
  'a sign-in provider': (url) => issuerFetch(networkList(['127.0.0.1']), LIMITS)(url, {}),
  'a routing server': (url) => askServerAt(url, MS)({ path: '/isochrone' }),
  'a geocoder': (url) => geocoderFrom({ url, engine: 'photon' }).find('1500 Marilla'),
  'the archive of streets': (url) => openByteRanges(`${url}/streets.pmtiles`),
  'a call of the command line': (url) =>
    callApi(
      { url, apiKey: undefined },
      { path: '/public/metros', type: 'application/json' },
      { retry: false, maxWaitSeconds: 0, timeoutSeconds: MS / 1000 },
      () => {},
    ),
  'the Census API': (url) =>
    downloadAcs(
      { url, key: undefined, timeoutMs: MS, retryAfterMs: 0 },
      2023,
      new Findings(),
      () => {},
    ),
  'an SMTP server': (url) =>
    smtpAt(url.replace('http', 'smtp'), 'us@example.com', {
      connect: 6e4,
      silence: 6e4,
      send: MS,
    }).verify(),
};

describe.each(Object.keys(ENDLESS))('a server that %s', async (how) => {
  const url = await endlessServer(ENDLESS[how]!);

  it.concurrent.each(Object.keys(WAYS))('ends %s with an error', async (way) => {
    await expect(WAYS[way]!(url)).rejects.toThrow();
  });

  it('gets a webhook’s attempt, which ends', async () => {
    const { isDelivered, status } = await attempt(plain, { url, headers: {}, body: '{}' }, MS);
    // The status is enough, even if the body then stops.
    expect(isDelivered).toBe(how.includes('body'));
    expect(status).toBe(how.includes('body') ? 200 : null);
  });
});

describe('a server that switches protocols', () => {
  it('ends requests at once, although their own deadlines are far', async () => {
    const url = await endlessServer(switchProtocols);
    await expect(findAuthorizationServer(url)).rejects.toThrow('bad upgrade');
    const download = downloadFile(`${url}/a.zip`, `${folder}/a.zip`, {
      retries: { tries: 1, pauseMs: 0 },
    });
    await expect(download).rejects.toThrow('can’t be reached');
    expect(await attempt(plain, { url, headers: {}, body: '{}' })).toMatchObject({
      problem: 'The request failed: the answer was 101, which isn’t a final status.',
    });
  });
});

describe('a name server that never answers', async () => {
  const silent = createSocket('udp4');
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
  afterAll(() => silent.close());
  const dnsServers = [`127.0.0.1:${(silent.address() as AddressInfo).port}`];

  it('ends requests by their deadline, and holds no lookups of others', async () => {
    const fetch = publicFetch({ dnsServers });
    const waiting = Array.from({ length: 20 }, (_, i) =>
      expect(exchange(`https://shop-${i}.com/`, {}, LIMITS, fetch)).rejects.toThrow('No end'),
    );
    await lookup('localhost');
    await Promise.all(waiting);
  });
});

describe('within', () => {
  it('ends a wait for work that heeds no signal, and aborts it', async () => {
    let given: AbortSignal | undefined;
    const never = (signal: AbortSignal) => {
      given = signal;
      return new Promise(() => {});
    };
    await expect(within(20, never)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(given!.aborted).toBe(true);
    const stopped = new AbortController();
    const wait = within(60_000, never, stopped.signal);
    stopped.abort(new Error('the service stops'));
    await expect(wait).rejects.toThrow('the service stops');
  });
});
