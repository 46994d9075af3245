/**
 * Shares PGlite's single session among many clients of the PostgreSQL wire protocol (version 3).
 *
 * Messages of different clients must not interleave, because the unnamed prepared statement belongs to the
 * client that parsed it last. So all messages up to and including a Sync or simple Query form a unit, and
 * units run one after another. While a client has an open transaction, only its units run. If it sends
 * nothing for the time that its startup message allows, it is disconnected, because all others are waiting
 * for it. (`@electric-sql/pglite-socket` 0.2.17 queues single messages: a `begin` of one client between
 * another's Parse and Bind returned the result of the wrong statement.)
 */
import { createServer, type Server, type Socket } from 'node:net';
import { readStartup } from './startup-message.ts';
import type { Watchdog } from './watchdog.ts';

/** The part of PGlite that the gateway uses. */
interface Session {
  /** Sends one message, and passes the response on in pieces, which it overwrites afterwards. */
  execProtocolRawStream(
    message: Uint8Array,
    options: { onRawData(piece: Uint8Array): void },
  ): Promise<unknown>;
}

interface Gateway {
  server: Server;
  /** Returns the number of connected clients. */
  clients(): number;
  /** Queues a statement of the server itself between the clients' units. */
  execute(sql: string): void;
}

/** If a statement takes this many times longer than its client waits, the database restarts. */
const RESTART_FACTOR = 10;

/** The first message of a client has no type byte. These codes take the place of its protocol version. */
const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;

const TYPE = { query: 0x51, sync: 0x53, flush: 0x48, functionCall: 0x46, terminate: 0x58 } as const;
/** Messages that end a unit. The backend responds to each, and is then ready except after Flush. */
const ENDS_UNIT: number[] = [TYPE.query, TYPE.sync, TYPE.flush, TYPE.functionCall];

/** ReadyForQuery ends every complete response: `Z`, length 5, then the transaction status. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
const IDLE = 0x49; // `I`; `T` in a transaction, `E` in one that has failed

/** Encodes a simple Query message. */
function query(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.from([TYPE.query, 0, 0, 0, 0]);
  head.writeUInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}

/** Encodes an error that ends the connection. */
function fatal(sqlState: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

/**
 * Sends one message and returns all response messages. PGlite's `execProtocolRaw` isn't used, because it also parses
 * each response and keeps what it has parsed until the process ends (in 0.5.8).
 */
async function answerOf(session: Session, message: Uint8Array): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const onRawData = (piece: Uint8Array) => void pieces.push(Buffer.from(piece));
  await session.execProtocolRawStream(message, { onRawData });
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** The sender of a unit: a client or the server itself. */
interface Sender {
  closed: boolean;
  /** Maximum time that each of its messages may occupy the session; 0 means no limit */
  limitMs: number;
  send(response: Uint8Array): void;
  /** Called after each unit. @param holds whether the session is reserved for the sender */
  afterUnit?(holds: boolean): void;
}

interface Unit {
  client: Sender;
  messages: Uint8Array[];
  /** Whether it's the first message of its client */
  startup: boolean;
}

/** @param onBroken called when the session itself fails and only a restart helps */
export function createGateway(
  session: Session,
  watchdog: Watchdog,
  onBroken: (error: unknown) => void,
): Gateway {
  const clients = new Set<Client>();
  const queue: Unit[] = [];
  /** The sender of an unfinished unit or transaction */
  let holder: Sender | undefined;
  let running = false;
  /**
   * PGlite's response to a startup message. It's the same for all clients, so they don't wait for the
   * session.
   */
  let greeting: Buffer | undefined;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (;;) {
      const next = queue.findIndex(({ client }) => !holder || client === holder);
      if (next < 0) break;
      const [{ client, messages, startup }] = queue.splice(next, 1) as [Unit];
      for (const message of messages) {
        watchdog.begin(client.limitMs);
        const response = await answerOf(session, message);
        watchdog.end();
        holder = isIdle(response) ? undefined : client;
        if (startup && !holder) greeting = Buffer.from(response);
        client.send(message === messages.at(-1) ? response : withoutReady(response));
      }
      if (client.closed && holder === client) await rollBackHolder();
      client.afterUnit?.(holder === client);
    }
    running = false;
  }

  /** Rolls back the open transaction of a client that disconnected. */
  async function rollBackHolder(): Promise<void> {
    await answerOf(session, query('rollback'));
    holder = undefined;
  }

  function enqueue(unit: Unit): void {
    queue.push(unit);
    run().catch(onBroken);
  }

  const server = createServer((socket) => {
    const client = new Client(socket, (messages, startup = false) => {
      if (startup && greeting) client.send(greeting);
      else enqueue({ client, messages, startup });
    });
    clients.add(client);
    socket.once('close', () => {
      clients.delete(client);
      client.closed = true;
      for (let i = queue.length - 1; i >= 0; i--)
        if (queue[i]!.client === client) queue.splice(i, 1);
      if (holder !== client || running) return;
      running = true;
      rollBackHolder()
        .then(() => {
          running = false;
          return run();
        })
        .catch(onBroken);
    });
  });
  const self: Sender = { closed: false, limitMs: 0, send: () => {} };
  return {
    server,
    clients: () => clients.size,
    execute: (sql) => enqueue({ client: self, messages: [query(sql)], startup: false }),
  };
}

/**
 * Removes ReadyForQuery from the end of a response. After an error, PGlite sends it immediately and again
 * at the Sync, whereas PostgreSQL sends it once. A client would mistake the second one for the end of its
 * next query.
 */
function withoutReady(response: Uint8Array): Uint8Array {
  return Buffer.from(response.subarray(-6, -1)).equals(READY) ? response.subarray(0, -6) : response;
}

/** Whether a response ends with ReadyForQuery outside a transaction. */
function isIdle(response: Uint8Array): boolean {
  const tail = Buffer.from(response.buffer, response.byteOffset, response.byteLength).subarray(-6);
  return tail.length === 6 && tail.subarray(0, 5).equals(READY) && tail[5] === IDLE;
}

/** One connection. Splits the stream into messages and groups them into units. */
class Client implements Sender {
  closed = false;
  limitMs = 0;
  readonly #socket: Socket;
  readonly #onUnit: (messages: Uint8Array[], startup?: boolean) => void;
  #received: Buffer[] = [];
  #size = 0;
  #started = false;
  #unit: Uint8Array[] = [];
  #idleInTransactionMs = 0;
  #waiting: NodeJS.Timeout | undefined;
  /** Changes whenever the client sends something or the session answers it */
  #turn = 0;

  constructor(socket: Socket, onUnit: (messages: Uint8Array[], startup?: boolean) => void) {
    this.#socket = socket;
    this.#onUnit = onUnit;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      this.#received.push(chunk);
      this.#size += chunk.length;
      for (let message = this.#take(); message; message = this.#take()) this.#accept(message);
    });
    socket.on('error', () => socket.destroy());
  }

  send(response: Uint8Array): void {
    if (!this.closed && response.length > 0) this.#socket.write(response);
  }

  afterUnit(holds: boolean): void {
    this.#stopWaiting();
    if (!holds || this.closed || !this.#idleInTransactionMs) return;
    // After a long statement, a late timer would run before messages that have arrived are read.
    this.#waiting = setTimeout(() => {
      const turn = this.#turn;
      setImmediate(() => {
        if (turn !== this.#turn) return;
        this.send(fatal('25P03', 'terminating connection due to idle-in-transaction timeout'));
        this.#socket.destroySoon();
      });
    }, this.#idleInTransactionMs);
  }

  #stopWaiting(): void {
    this.#turn++;
    clearTimeout(this.#waiting);
  }

  /** Takes the next complete message from the buffer. */
  #take(): Buffer | undefined {
    const lengthAt = this.#started ? 1 : 0;
    if (this.#size < lengthAt + 4) return undefined;
    if (this.#received[0]!.length < lengthAt + 4) this.#join();
    const length = lengthAt + this.#received[0]!.readUInt32BE(lengthAt);
    if (this.#size < length) return undefined;
    this.#join();
    const [all] = this.#received as [Buffer];
    this.#received = all.length > length ? [all.subarray(length)] : [];
    this.#size -= length;
    return all.subarray(0, length);
  }

  /** Called only for complete messages, so that a large message in small chunks takes linear time. */
  #join(): void {
    if (this.#received.length > 1) this.#received = [Buffer.concat(this.#received)];
  }

  #accept(message: Buffer): void {
    if (!this.#started) return this.#start(message);
    const type = message[0]!;
    if (type === TYPE.terminate) return void this.#socket.end();
    this.#unit.push(message);
    if (!ENDS_UNIT.includes(type)) return;
    this.#stopWaiting();
    this.#onUnit(this.#unit);
    this.#unit = [];
  }

  #start(message: Buffer): void {
    const code = message.readUInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) this.#socket.write('N');
    // A single session can't cancel its own running query.
    else if (code === CANCEL_REQUEST) this.#socket.end();
    else {
      this.#started = true;
      const startup = readStartup(message);
      this.#idleInTransactionMs = startup.idleInTransactionMs;
      this.limitMs = RESTART_FACTOR * startup.statementMs;
      this.#onUnit([startup.message], true);
    }
  }
}
