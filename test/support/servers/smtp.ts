/** An SMTP server that keeps accepted messages and fails on request. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';

export interface ReceivedMail {
  /** Address in the envelope */
  to: string;
  from: string;
  /** Lowercase names */
  headers: Record<string, string>;
  text: string;
  html: string;
  /** The links of the text, in its order */
  links: string[];
  /** Inline pictures by content id */
  pictures: Map<string, Buffer>;
  secure: boolean;
  user: string | undefined;
}

/** Fails the step with this answer every time. Null: the step succeeds. */
export type Answer = { code: number; message: string } | null;

export interface TestSmtp {
  /** For `SMTP_URL` */
  url: string;
  port: number;
  received: ReceivedMail[];
  /** Waits until this many messages have arrived in all. */
  arrived(count: number): Promise<ReceivedMail>;
  /** How the server answers; tests replace these. */
  onSender: () => Answer;
  onRecipient: (address: string) => Answer;
  onText: () => Answer;
  stop(): Promise<void>;
}

/** @param options of the server. @param port default: a free one */
export async function startSmtp(options: SMTPServerOptions = {}, port = 0): Promise<TestSmtp> {
  const received: ReceivedMail[] = [];
  const failure = (answer: Answer) =>
    answer && Object.assign(new Error(answer.message), { responseCode: answer.code });
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    closeTimeout: 100,
    onMailFrom: (_address, _session, done) => done(failure(smtp.onSender())),
    onRcptTo: ({ address }, _session, done) => done(failure(smtp.onRecipient(address))),
    onData(stream, session, done) {
      let source = '';
      stream.on('data', (chunk) => (source += chunk));
      stream.on('end', () => {
        const answer = smtp.onText();
        const { mailFrom, rcptTo } = session.envelope;
        if (answer === null) {
          received.push({
            ...parseMail(source),
            to: rcptTo.map(({ address }) => address).join(),
            from: mailFrom ? mailFrom.address : '',
            secure: session.secure,
            user: session.user as string | undefined,
          });
        }
        done(failure(answer));
      });
    },
    ...options,
  });
  // Clients that give up close the connection at any time.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  let stopped: Promise<void> | undefined;
  const smtp: TestSmtp = {
    port: (server.server.address() as AddressInfo).port,
    url: '',
    received,
    arrived: (count) => waitFor(() => received[count - 1]),
    onSender: () => null,
    onRecipient: () => null,
    onText: () => null,
    stop: () => (stopped ??= new Promise((resolve) => server.close(resolve))),
  };
  smtp.url = `${options.secure ? 'smtps' : 'smtp'}://localhost:${smtp.port}`;
  afterAll(smtp.stop);
  return smtp;
}

/** A server that passes each connection to `talk`. @returns its port */
export async function startRawServer(talk: Parameters<typeof createServer>[1]): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    talk!(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export async function waitFor<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('nothing arrived in time');
}

function parseMail(
  source: string,
): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'links' | 'pictures'> {
  const { headers } = partOf(source);
  const leaves = leavesOf(source);
  const content = (type: string) => {
    const part = leaves.find(({ headers }) => headers['content-type']?.startsWith(type))!;
    return decode(part.body, part.headers['content-transfer-encoding'] ?? '7bit');
  };
  const plain = content('text/plain');
  return {
    headers,
    text: plain,
    html: content('text/html'),
    links: plain.match(/http\S+/g) ?? [],
    pictures: new Map(
      leaves
        .filter(({ headers }) => headers['content-type']?.startsWith('image/png'))
        .map(({ headers, body }) => [
          headers['content-id']!.slice(1, -1),
          Buffer.from(body, 'base64'),
        ]),
    ),
  };
}

/** The parts that don't consist of parts */
function leavesOf(source: string): ReturnType<typeof partOf>[] {
  const part = partOf(source);
  const boundary = /boundary="([^"]+)"/.exec(part.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return [part];
  return part.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((one) => leavesOf(one.trimStart().replace(/\r\n$/, '')));
}

function partOf(source: string): { headers: Record<string, string>; body: string } {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name, ...value] = line.split(':');
      return [name!.toLowerCase(), value.join(':').trim()];
    }),
  );
  return { headers, body: source.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}
