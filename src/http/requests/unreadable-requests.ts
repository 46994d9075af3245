/** Answers requests that node cannot read, so that they never reach Koa. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../contract/error-codes.ts';
import type { Limiter } from '../../metering/limiter.ts';
import { clientNetwork } from '../../network.ts';
import { fieldPairs } from '../answers/header-fields.ts';
import { limitFields } from '../limits/limits.ts';
import { commonFields } from '../answers/common-headers.ts';

export type UnreadableRequestAnswer = (failure: NodeJS.ErrnoException, socket: Socket) => void;

/** By the code of node's error; whatever else it is, it was no HTTP. */
const ANSWERS: Record<string, { status: number; code: ErrorCode; error: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'header_fields_too_large',
    error: 'The address and header fields are too long: at most 16 kB are read.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    error: 'The request did not arrive in time.',
  },
};
const NO_HTTP = { status: 400, code: 'bad_request', error: 'The request is not well-formed HTTP.' };

/** The sender cannot be told from a proxy, whose headers nobody could read: it is counted itself. */
export function answerUnreadable(limiter: Limiter, apiRoot: () => string): UnreadableRequestAnswer {
  const answer = async (failure: NodeJS.ErrnoException, socket: Socket) => {
    const client = clientNetwork(socket.remoteAddress ?? '') ?? 'unknown';
    const limited = limitFields([await limiter.spend('service', client)]);
    const { status, ...body } = ANSWERS[failure.code ?? ''] ?? NO_HTTP;
    const { rawPacket } = failure as { rawPacket?: Buffer };
    // An answer to HEAD has no body; a client that gets one takes it for the next answer.
    const isHead = rawPacket?.toString('latin1', 0, 5) === 'HEAD ';
    const json = JSON.stringify(body);
    const fields = [
      ...commonFields(apiRoot()),
      ...limited,
      ...['Content-Type', 'application/json; charset=utf-8'],
      ...['Content-Length', String(Buffer.byteLength(json))],
      ...['Connection', 'close'],
    ];
    const lines = fieldPairs(fields).map(([name, value]) => `${name}: ${value}`);
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
    if (socket.writable) socket.end(`${head}\r\n\r\n${isHead ? '' : json}`);
  };
  return (failure, socket) => void answer(failure, socket);
}
