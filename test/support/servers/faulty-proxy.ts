/** A proxy for a TCP or Unix socket that a test can break in the ways that networks break. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface FaultyProxy {
  /** 0 if it listens on a path */
  port: number;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Resets every connection, and accepts new ones. */
  reset(): void;
  /** Every open connection stays open but silent forever; new ones work. Like a failover */
  kill(): void;
  /** Open and new connections are silent, and continue when mended. Like a lost route */
  blackHole(): void;
  /** The server receives requests, but its answers get lost until mended. */
  halfOpen(): void;
  /** Number of round trips: how often clients have sent data, first or after an answer */
  roundTrips(): number;
  /** Everything arrives later by this many milliseconds, in both directions. */
  delay(ms: number): void;
  /** How much data waits for its delay, in chunks */
  waiting(): number;
  /** Ends every fault. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

type Address = { host: string; port: number } | { path: string };
/** Which data is passed on */
type Flow = 'all' | 'requests' | 'none';

interface Link {
  client: Socket;
  server: Socket;
  dead: boolean;
}

/**
 * @param target what to connect to
 * @param path the Unix socket to listen on. Default: a free port
 */
export async function faultyProxy(target: Address, path?: string): Promise<FaultyProxy> {
  const links = new Set<Link>();
  let flow: Flow = 'all';
  let delayMs = 0;
  let roundTrips = 0;
  let waiting = 0;

  const listener = createServer((client) => {
    const link: Link = { client, server: connect(target), dead: false };
    links.add(link);
    passOn(client, link.server);
    passOn(link.server, client);
    let isAnswered = true;
    client.on('data', () => {
      if (isAnswered) roundTrips++;
      isAnswered = false;
    });
    link.server.on('data', () => (isAnswered = true));
    client.on('close', () => links.delete(link));
    control(link);
  });

  function passOn(from: Socket, to: Socket): void {
    /** Later data waits for earlier data. */
    let sent: Promise<unknown> = Promise.resolve();
    from.on('data', (chunk) => {
      if (delayMs === 0) return void sent.then(() => to.write(chunk));
      const late = new Promise((resolve) => setTimeout(resolve, delayMs));
      waiting++;
      sent = sent.then(() => late).then(() => (waiting--, to.write(chunk)));
    });
    from.on('error', () => {});
    from.on('close', () => sent.then(() => to.destroy()));
  }

  /** A paused socket doesn't notice that the other side closes it. */
  function control({ client, server, dead }: Link): void {
    client[dead || flow === 'none' ? 'pause' : 'resume']();
    server[dead || flow !== 'all' ? 'pause' : 'resume']();
  }

  function setFlow(next: Flow): void {
    flow = next;
    links.forEach(control);
  }

  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      if (path === undefined) listener.listen(port, '127.0.0.1', resolve);
      else listener.listen(path, resolve);
    });
  const close = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve());
      for (const { client, server } of links) [client, server].forEach((one) => one.destroy());
    });
  await listen(0);
  const port = path === undefined ? (listener.address() as AddressInfo).port : 0;
  return {
    port,
    cut: close,
    reset() {
      // A Unix socket has no resets: its other side sees it close.
      for (const { client } of links) {
        if (path === undefined) client.resetAndDestroy();
        else client.destroy();
      }
    },
    kill() {
      for (const link of links) {
        link.dead = true;
        control(link);
      }
    },
    blackHole: () => setFlow('none'),
    halfOpen: () => setFlow('requests'),
    roundTrips: () => roundTrips,
    delay: (ms) => (delayMs = ms),
    waiting: () => waiting,
    async mend() {
      delayMs = 0;
      setFlow('all');
      if (!listener.listening) await listen(port);
    },
    close,
  };
}
