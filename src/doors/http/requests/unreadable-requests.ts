/** Answers requests that Node can't parse. They never reach Koa. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../../base/contract/error-codes.ts';
import type { Limiter } from '../../../people/metering/limiter.ts';
import { clientNetwork } from '../../../base/text/networks.ts';
import { limitHeaders } from '../limits/limits.ts';
import { commonHeaders } from '../answers/common-headers.ts';

export type UnreadableRequestAnswer = (failure: NodeJS.ErrnoException, socket: Socket) => void;

/** By Node's error code. All other codes mean that the request isn't HTTP. */
const ANSWERS: Record<string, { status: number; code: ErrorCode; error: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'header_fields_too_large',
    error: 'The URL and header fields exceed the limit of 16 kB. Send fewer or shorter fields.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    error: 'The request took too long to arrive. Send it again.',
  },
};
const NOT_HTTP = { status: 400, code: 'bad_request', error: 'The request is not valid HTTP.' };

/** Counts the sender's own address, since the headers of a proxy can't be read. */
export function answerUnreadable(limiter: Limiter, apiRoot: () => string): UnreadableRequestAnswer {
  const answer = async (failure: NodeJS.ErrnoException, socket: Socket) => {
    const client = clientNetwork(socket.remoteAddress ?? '') ?? 'unknown';
    const limited = limitHeaders([await limiter.count('service', client)]);
    const { status, ...body } = ANSWERS[failure.code ?? ''] ?? NOT_HTTP;
    const { rawPacket } = failure as { rawPacket?: Buffer };
    // A client would mistake the body of a HEAD response for the next response.
    const isHead = rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
    const json = JSON.stringify(body);
    const headers = {
      ...commonHeaders(apiRoot()),
      ...limited,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(json)),
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
    if (socket.writable) socket.end(`${head}\r\n\r\n${isHead ? '' : json}`);
  };
  return (failure, socket) => void answer(failure, socket);
}
