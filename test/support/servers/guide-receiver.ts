/**
 * The receiver in the guide on events: extracted from the guide, run as its own process, and served with https by a
 * proxy, as the guide says.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { publicFetch, requirePublicHost } from '../../../src/base/outside/public-fetch.ts';
import { GUIDES } from '../../../src/doors/site/docs/guides.ts';
import { examplesOf } from '../../doors/site/docs/guide-examples.ts';
import { testFolder } from '../database.ts';
import { localCertificate } from './certificate.ts';
import { freePort } from './free-port.ts';

export interface Crm {
  /** By id of the brand */
  territories: Record<string, { name: string; zips: string[] }>;
  handled: string[];
}

export interface GuideReceiver extends Pick<ReturnType<typeof trusting>, 'fetch' | 'requireHost'> {
  /** `https://localhost:…` */
  origin: string;
  /** Starts the process, or restarts it with another secret. */
  start(secret: string): Promise<void>;
  kill(): Promise<void>;
  /** Status of each answer */
  answers: number[];
  /** What it has stored */
  crm(): Crm;
}

const trusting = (ca: string) => {
  const trust = { isAllowed: (address: string) => /^(127\.0\.0\.1|::1)$/.test(address), ca };
  return { fetch: publicFetch(trust), requireHost: (url: URL) => requirePublicHost(url, trust) };
};

export async function guideReceiver(): Promise<GuideReceiver> {
  const folder = testFolder();
  const guide = GUIDES.find(({ path }) => path === '/docs/events')!;
  const { code } = examplesOf(guide).find(({ id }) => id === 'events-receiver')!;
  writeFileSync(join(folder, 'crm.mjs'), code);
  symlinkSync(projectFile('node_modules'), join(folder, 'node_modules'));
  const port = await freePort();
  const answers: number[] = [];
  let child: ChildProcess | undefined;

  const { key, cert } = localCertificate();
  const proxy = createServer({ key, cert }, (incoming, outgoing) => {
    const { method = 'POST', headers, url: path } = incoming;
    const forwarded = request({ port, host: '127.0.0.1', method, headers, path }, (answer) => {
      answers.push(answer.statusCode!);
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));

  async function kill() {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const isListening = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    );
  afterAll(async () => {
    await kill();
    proxy.closeAllConnections();
    proxy.close();
  });
  return {
    origin: `https://localhost:${(proxy.address() as AddressInfo).port}`,
    ...trusting(cert),
    answers,
    kill,
    async start(secret) {
      await kill();
      child = spawn(process.execPath, ['crm.mjs'], {
        cwd: folder,
        env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
        // It reports the refused requests of this helper.
        stdio: 'ignore',
      });
      while (!(await isListening())) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    crm: () => {
      const file = join(folder, 'crm.json');
      return existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')) as Crm)
        : { territories: {}, handled: [] };
    },
  };
}
