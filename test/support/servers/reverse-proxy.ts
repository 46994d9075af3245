/** nginx and Caddy as Debian packages them, with the configurations of the guide “Run it in production”. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { productionExample } from '../../doors/site/docs/production-examples.ts';
import { localCertificate } from './certificate.ts';
import { testFolder } from '../database.ts';
import { PATIENCE_MS } from '../patience.ts';
import { freePort } from './free-port.ts';

export const HOST = 'territory.example.com';

const PROGRAMS = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' };
export type ProxyName = keyof typeof PROGRAMS;

export const hasProxy = (name: ProxyName) => existsSync(PROGRAMS[name]);

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** The client's address, in 127.0.0.0/8. Default: 127.0.0.2 */
  from?: string;
}

export interface ReverseProxy {
  /** Sends a request over TLS and HTTP/2. */
  ask(path: string, ask?: Ask): Promise<Answer>;
  stop(): Promise<void>;
}

/** Only addresses, ports, and paths of files differ from the guide. */
export async function startProxy(name: ProxyName, servicePort: number): Promise<ReverseProxy> {
  const [port, httpPort] = [await freePort(), await freePort()];
  const folder = testFolder();
  const start = { nginx: startNginx, caddy: startCaddy }[name];
  const child = start({ folder, port, httpPort, servicePort });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text) => (output += text));
  const ask: ReverseProxy['ask'] = (path, more) => sendHttp2(port, path, more);
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await ask('/healthz').catch(() => null))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not start:\n${output}`);
    }
    await delay(50);
  }
  return {
    ask,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

interface Place {
  folder: string;
  port: number;
  httpPort: number;
  servicePort: number;
}

function startNginx({ folder, port, httpPort, servicePort }: Place): ChildProcess {
  const { key, cert } = localCertificate();
  writeFileSync(join(folder, 'privkey.pem'), key);
  writeFileSync(join(folder, 'fullchain.pem'), cert);
  const site = productionExample('production-nginx')
    .replaceAll(/^ +listen \[::\].*\n/gm, '')
    .replace(/^ +listen 80;/m, `listen 127.0.0.1:${httpPort};`)
    .replace(/^ +listen 443 /m, `listen 127.0.0.1:${port} `)
    .replaceAll(`/etc/letsencrypt/live/${HOST}`, folder)
    .replace('/var/cache/nginx', folder)
    .replace('127.0.0.1:3000', `127.0.0.1:${servicePort}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
     events {} http { access_log off; ${paths.join(' ')} ${site} }`,
  );
  return spawn(PROGRAMS.nginx, ['-p', folder, '-c', file], { stdio: ['ignore', 'pipe', 'pipe'] });
}

function startCaddy({ folder, port, httpPort, servicePort }: Place): ChildProcess {
  const options = ['admin off', 'local_certs', 'skip_install_trust', `https_port ${port}`];
  const head = `{\n${[...options, `http_port ${httpPort}`].join('\n')}\n}\n`;
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, head + productionExample('production-caddy'));
  mkdirSync(join(folder, 'home'));
  return spawn(PROGRAMS.caddy, ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { HOME: join(folder, 'home'), DOMAIN: HOST, SERVICE: `127.0.0.1:${servicePort}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function sendHttp2(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.2' }: Ask = {},
): Promise<Answer> {
  const options = {
    host: '127.0.0.1',
    port,
    localAddress: from,
    servername: HOST,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  };
  const session = connectHttp2(`https://${HOST}`, { createConnection: () => connectTls(options) });
  try {
    const stream = session.request({ ':path': path, ':method': method, ...headers });
    stream.end(body);
    const failed = once(session, 'error').then(([error]) => Promise.reject(error as Error));
    failed.catch(() => {});
    const [head] = (await Promise.race([once(stream, 'response'), failed])) as [
      IncomingHttpHeaders,
    ];
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return { status: Number(head[':status']), headers: head, body: Buffer.concat(chunks) };
  } finally {
    session.destroy();
  }
}
