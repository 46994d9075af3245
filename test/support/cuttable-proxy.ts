/** A TCP proxy that a test can cut and restore. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttableProxy {
  port: number;
  /** Closes every connection and refuses new ones */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** @param target host and port, or the path of a Unix socket */
export async function cuttableProxy(
  target: { host: string; port: number } | { path: string },
): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    mend: () => listen(port),
  };
}
