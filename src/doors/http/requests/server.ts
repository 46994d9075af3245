/** Starts the HTTP server, and stops it gracefully. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { limitArrival } from './arrival.ts';
import { Connections } from './one-at-a-time.ts';
import { SlowReaders, type ReadingPace } from './slow-readers.ts';
import type { UnreadableRequestAnswer } from './unreadable-requests.ts';

export interface RunningServer {
  /** The port in use, even if the system chose it */
  port: number;
  /** Refuses new connections, waits for open requests, and closes the rest after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  timeouts?: typeof TIMEOUTS;
  readingPace?: ReadingPace;
}

/** Clients can't keep a connection busy by sending a request byte by byte. */
const TIMEOUTS = {
  /** Until all header fields have arrived */
  headersTimeout: 10_000,
  /** Until the whole request has arrived, unless it is a file */
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
};

/** Until a file has arrived: 100 MB at 1 Mbit/s */
const FILE_TIMEOUT_MS = 15 * 60_000;

/**
 * How long an idle connection stays open. It must be longer than proxies keep theirs open (nginx and
 * Amazon's load balancers: 60 s). Otherwise, requests that they send at that moment are lost, and clients
 * get 502.
 */
export const KEEP_ALIVE_MS = 75_000;

/** @throws Error, for example with the code EADDRINUSE, if it can't listen on the address */
export async function listen(
  listener: RequestListener,
  { host, port, timeouts = TIMEOUTS, readingPace }: ListenOptions,
  answerUnreadable?: UnreadableRequestAnswer,
): Promise<RunningServer> {
  let stopping = false;
  const connections = new Connections(listener, () => {
    // Idle keep-alive connections would delay the shutdown.
    if (stopping) setImmediate(() => server.closeIdleConnections());
  });
  // The listener itself refuses a missing Host and unsupported expectations, because Node's default
  // responses lack our headers.
  const handle: RequestListener = (req, res) => {
    limitArrival(req, res, timeouts.requestTimeout, () => {
      if (!server.emit('clientError', LATE, req.socket)) req.socket.destroy();
    });
    connections.handle(req, res);
  };
  const server: Server = createServer(
    {
      ...timeouts,
      requestTimeout: FILE_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false,
    },
    handle,
  );
  server.on('checkExpectation', handle);
  const slowReaders = new SlowReaders(readingPace);
  server.on('connection', (socket) => slowReaders.watch(socket));
  if (answerUnreadable) {
    server.on('clientError', (error, socket) => {
      const response = connections.running(socket as Socket);
      // The request is answered before its body turns out to be endless: see `request-target.ts`.
      if (response && isEndlessBody(error)) response.once('finish', () => socket.destroy());
      // A response may be in progress.
      else if (response || !socket.writable) socket.destroy();
      else answerUnreadable(error, socket as Socket);
    });
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceMs) =>
      new Promise((resolve) => {
        stopping = true;
        server.once('close', () => slowReaders.stop());
        const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** The error with which Node ends a late request itself */
const LATE = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

const isEndlessBody = ({ code }: NodeJS.ErrnoException) => code === 'HPE_INVALID_TRANSFER_ENCODING';
