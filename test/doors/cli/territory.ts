/** Runs `territory` in this process against scripted services. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { runTerritory } from '../../../src/doors/cli/territory/program.ts';

export interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer | object;
}

/** Answers with each response in turn, then repeats the last one. */
export function scripted(...answers: Scripted[]) {
  let next = 0;
  return (_request: IncomingMessage, response: ServerResponse) => {
    const { status = 200, headers, body = {} } = answers[Math.min(next++, answers.length - 1)]!;
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

export interface FakeService {
  url: string;
  /** Requests received so far */
  requests: IncomingMessage[];
}

// Keeps the environment of the test run from changing the colors.
for (const name of ['NO_COLOR', 'FORCE_COLOR']) delete process.env[name];

/** Listens until the tests have ended. */
export async function fakeService(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<FakeService> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

interface RunOptions {
  env?: Record<string, string>;
  /** Whether standard output is a terminal; a number sets its columns */
  terminal?: boolean | number;
  /** Standard input */
  input?: string;
}

export async function territory(
  { url }: { url: string },
  words: string | string[],
  { env, terminal = false, input = '' }: RunOptions = {},
) {
  const [out, err] = [collector(terminal), collector(false)];
  const code = await runTerritory(typeof words === 'string' ? words.split(' ') : words, {
    // No sign-ins of the person who runs the tests
    env: { TERRITORY_URL: url, XDG_CONFIG_HOME: '/nonexistent', ...env },
    in: Readable.from([input]),
    out: out.stream,
    err: err.stream,
  });
  return {
    code,
    bytes: out.bytes(),
    stdout: out.bytes().toString(),
    stderr: err.bytes().toString(),
  };
}

function collector(terminal: boolean | number) {
  const chunks: Buffer[] = [];
  const stream = new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk));
  // Enough of a terminal for colors and widths, even in CI
  const getColorDepth = () =>
    WriteStream.prototype.getColorDepth({ ...process.env, TERM: 'xterm-256color', CI: undefined });
  return {
    stream: terminal
      ? Object.assign(stream, { isTTY: true, columns: Number(terminal) || 80, getColorDepth })
      : stream,
    bytes: () => Buffer.concat(chunks),
  };
}
