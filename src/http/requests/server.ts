/** Listens, and stops without cutting anybody off. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { UnreadableRequestAnswer } from './unreadable-requests.ts';

export interface RunningServer {
  /** The port listened on, also where the system chose it */
  port: number;
  /**
   * Takes no new connections, lets the requests under way end, and closes what still lasts after
   * `graceMs`.
   */
  stop(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  patience?: typeof PATIENCE;
}

/** Nobody may keep a connection busy by sending a request a byte at a time. */
const PATIENCE = {
  /** Until the header fields of a request have come */
  headersTimeout: 10_000,
  /** Until all of it has come */
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
};

/** @throws Error with the code EADDRINUSE and its kin if the address cannot be had */
export async function listen(
  listener: RequestListener,
  { host, port, patience = PATIENCE }: ListenOptions,
  answerUnreadable?: UnreadableRequestAnswer,
): Promise<RunningServer> {
  let stopping = false;
  const underWay = new Set<Socket>();
  const onRequest: RequestListener = (req, res) => {
    const { socket } = req;
    underWay.add(socket);
    res.once('close', () => {
      underWay.delete(socket);
      // Connections kept alive by their clients would hold up the stopping process.
      if (stopping) setImmediate(() => server.closeIdleConnections());
    });
    listener(req, res);
  };
  // A missing Host is for the listener to refuse, as is what a client may expect: node's own answers
  // carry none of our headers.
  const server: Server = createServer({ ...patience, requireHostHeader: false }, onRequest);
  server.on('checkExpectation', onRequest);
  if (answerUnreadable) {
    server.on('clientError', (error, socket) => {
      // Another answer may be half sent.
      if (underWay.has(socket as Socket) || !socket.writable) socket.destroy();
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
        const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
