/**
 * Lets many clients speak the PostgreSQL wire protocol (version 3) to the one session of PGlite.
 *
 * Their messages must not be mixed: a prepared statement without a name belongs to whoever parsed it
 * last. So what a client sends up to and with a Sync or a simple Query is one unit, and units run
 * one after the other; while a client has a transaction open, only its units run.
 * (`@electric-sql/pglite-socket` 0.2.17 queues single messages: a `begin` of one client between the
 * Parse and the Bind of another gave that one the answer to a different statement.)
 */
import { createServer, type Server, type Socket } from 'node:net';

/** What is needed of PGlite. */
export interface Session {
  /** Hands over one message, returns everything the backend says to it. */
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>;
}

export interface Gateway {
  server: Server;
  /** Clients connected now */
  clients(): number;
  /** Runs a statement of the server's own, between the units of the clients. */
  execute(sql: string): void;
}

/** First messages have no type byte; these codes stand in place of the protocol's version. */
const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;
const CANCEL_REQUEST = 80877102;

const TYPE = { query: 0x51, sync: 0x53, flush: 0x48, functionCall: 0x46, terminate: 0x58 } as const;
/** What ends a unit: the backend answers and, but for Flush, is ready for the next one. */
const ENDS_UNIT: number[] = [TYPE.query, TYPE.sync, TYPE.flush, TYPE.functionCall];

/** ReadyForQuery, the end of every complete answer: `Z`, length 5, and the transaction's status. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
const IDLE = 0x49; // `I`; `T` in a transaction, `E` in one that has failed

/** A simple Query message. */
function query(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.from([TYPE.query, 0, 0, 0, 0]);
  head.writeUInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}

/** Who sends units: a client, or the server itself. */
interface Sender {
  closed: boolean;
  send(answer: Uint8Array): void;
}

/**
 * @param onBroken called when the session itself fails: nothing can be saved but by a new start
 */
export function gateway(session: Session, onBroken: (error: unknown) => void): Gateway {
  const clients = new Set<Client>();
  const queue: { client: Sender; messages: Uint8Array[] }[] = [];
  /** Whose unit or transaction is not at its end */
  let holder: Sender | undefined;
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    for (;;) {
      const next = queue.findIndex(({ client }) => !holder || client === holder);
      if (next < 0) break;
      const [{ client, messages }] = queue.splice(next, 1) as [(typeof queue)[0]];
      for (const message of messages) {
        const answer = await session.execProtocolRaw(message);
        holder = isAtRest(answer) ? undefined : client;
        client.send(message === messages.at(-1) ? answer : withoutReady(answer));
      }
      if (client.closed && holder === client) await release();
    }
    running = false;
  }

  /** A client that has gone leaves its transaction behind: it is rolled back. */
  async function release(): Promise<void> {
    await session.execProtocolRaw(query('rollback'));
    holder = undefined;
  }

  function enqueue(client: Sender, messages: Uint8Array[]): void {
    queue.push({ client, messages });
    run().catch(onBroken);
  }

  const server = createServer((socket) => {
    const client = new Client(socket, (messages) => enqueue(client, messages));
    clients.add(client);
    socket.once('close', () => {
      clients.delete(client);
      client.closed = true;
      for (let i = queue.length - 1; i >= 0; i--)
        if (queue[i]!.client === client) queue.splice(i, 1);
      if (holder !== client || running) return;
      running = true;
      release()
        .then(() => {
          running = false;
          return run();
        })
        .catch(onBroken);
    });
  });
  const self: Sender = { closed: false, send: () => {} };
  return {
    server,
    clients: () => clients.size,
    execute: (sql) => enqueue(self, [query(sql)]),
  };
}

/**
 * After an error PGlite says "ready" at once, and again at the Sync where PostgreSQL says it: a client
 * would take the second one for the end of its next query.
 */
function withoutReady(answer: Uint8Array): Uint8Array {
  return Buffer.from(answer.subarray(-6, -1)).equals(READY) ? answer.subarray(0, -6) : answer;
}

/** Whether an answer ends with "ready" outside of any transaction. */
function isAtRest(answer: Uint8Array): boolean {
  const tail = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength).subarray(-6);
  return tail.length === 6 && tail.subarray(0, 5).equals(READY) && tail[5] === IDLE;
}

/** One connection: cuts the stream into messages and those into units. */
class Client implements Sender {
  closed = false;
  readonly #socket: Socket;
  readonly #onUnit: (messages: Uint8Array[]) => void;
  #received: Buffer[] = [];
  #size = 0;
  #started = false;
  #unit: Uint8Array[] = [];

  constructor(socket: Socket, onUnit: (messages: Uint8Array[]) => void) {
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

  send(answer: Uint8Array): void {
    if (!this.closed && answer.length > 0) this.#socket.write(answer);
  }

  /** The next complete message, if all of it has come. */
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

  /** Joined only when a message is complete: a large one in small chunks stays linear. */
  #join(): void {
    if (this.#received.length > 1) this.#received = [Buffer.concat(this.#received)];
  }

  #accept(message: Buffer): void {
    if (!this.#started) return this.#start(message);
    const type = message[0]!;
    if (type === TYPE.terminate) return void this.#socket.end();
    this.#unit.push(message);
    if (!ENDS_UNIT.includes(type)) return;
    this.#onUnit(this.#unit);
    this.#unit = [];
  }

  #start(message: Buffer): void {
    const code = message.readUInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) this.#socket.write('N');
    // The one session has no other process to tell, so a running query cannot be cancelled.
    else if (code === CANCEL_REQUEST) this.#socket.end();
    else {
      this.#started = true;
      this.#onUnit([message]);
    }
  }
}
