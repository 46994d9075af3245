/**
 * Handles the requests of a connection one after another. Node parses all pipelined requests that have
 * arrived before it turns to another connection: a thousand small ones kept all others waiting for seconds
 * on a busy machine. Now other connections have their turn after each. Clients that pipeline are rare, and
 * get their answers in order anyway.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handled = Parameters<RequestListener>;

/** All connections of a server. */
export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #listener: RequestListener;
  readonly #ended: () => void;

  /** @param ended called after each response */
  constructor(listener: RequestListener, ended: () => void) {
    this.#listener = listener;
    this.#ended = ended;
  }

  readonly handle: RequestListener = (req, res) => {
    const { socket } = req;
    let connection = this.#connections.get(socket);
    if (!connection) {
      connection = new Connection(socket, this.#listener, this.#ended);
      this.#connections.set(socket, connection);
    }
    connection.handle(req, res);
  };

  /** Returns the response in progress, or the next one. */
  running = (socket: Socket) => this.#connections.get(socket)?.running;
}

/** One object for each connection, and one listener for each request: more would slow down cached answers. */
class Connection {
  running: ServerResponse | undefined;
  readonly #following: Handled[] = [];
  readonly #socket: Socket;
  readonly #listener: RequestListener;
  readonly #ended: () => void;

  constructor(socket: Socket, listener: RequestListener, ended: () => void) {
    this.#socket = socket;
    this.#listener = listener;
    this.#ended = ended;
  }

  handle(req: IncomingMessage, res: ServerResponse): void {
    if (this.running) this.#following.push([req, res]);
    else this.#begin(req, res);
  }

  #begin(req: IncomingMessage, res: ServerResponse): void {
    this.running = res;
    res.on('close', this.#next);
    this.#listener(req, res);
  }

  readonly #next = () => {
    const following = this.#socket.destroyed ? undefined : this.#following.shift();
    this.running = following?.[1];
    if (following) setImmediate(() => this.#begin(...following));
    this.#ended();
  };
}
