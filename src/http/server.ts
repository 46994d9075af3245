/** Listens, and stops without cutting anybody off. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  /** The port listened on, also where the system chose it */
  port: number;
  /**
   * Takes no new connections, lets the requests under way end, and closes what still lasts after
   * `graceMs`.
   */
  stop(graceMs: number): Promise<void>;
}

/** @throws Error with the code EADDRINUSE and its kin if the address cannot be had */
export async function listen(
  listener: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<RunningServer> {
  let stopping = false;
  const server: Server = createServer((req, res) => {
    // Connections kept alive by their clients would hold up the stopping process.
    res.once('close', () => {
      if (stopping) setImmediate(() => server.closeIdleConnections());
    });
    listener(req, res);
  });
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
