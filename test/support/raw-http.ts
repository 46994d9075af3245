/** Sends requests byte by byte, including ones that no HTTP client would send, and reads undecoded answers. */
import { once } from 'node:events';
import {
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** By lowercase name */
  headers: Record<string, string>;
  body: string;
}

/** @param request head and body, with CRLF line ends; the server must close after its answer */
export async function sendRaw(port: number, request: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  // A server that refuses early may reset the connection while the rest is sent.
  socket.on('error', () => {});
  socket.write(request, 'latin1');
  await once(socket, 'close');
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...value] = line.split(': ');
        return [name.toLowerCase(), value.join(': ')];
      }),
    ),
    body: body.join('\r\n\r\n'),
  };
}

export interface EncodedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Unlike `fetch`, adds no Accept-Encoding and doesn't decode the body. */
export async function askEncoded(
  options: RequestOptions & { body?: string },
): Promise<EncodedAnswer> {
  const sent = request({ ...options, agent: false });
  if (options.timeout)
    sent.on('timeout', () => sent.destroy(new Error(`timeout of ${options.path}`)));
  const [response] = (await once(sent.end(options.body), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) };
}

/** The head of a request with `Connection: close`. */
export const head = (method: string, target: string, ...fields: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields, '', ''].join(
    '\r\n',
  );
