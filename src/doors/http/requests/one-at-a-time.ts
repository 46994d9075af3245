/**
 * Handles the requests of a connection one after another. Node parses all pipelined requests that have
 * arrived before it turns to another connection: on a busy machine, a thousand small requests blocked all
 * other connections for seconds. With this module, other connections get a turn after each request. Few
 * clients pipeline requests, and they get their answers in order anyway.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handled = Parameters<RequestListener>;

/** All connections of a server. */
export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #listener: RequestListener;
  readonly #ended: () => void;

  /** @param ended is called after each response */
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

/** One object per connection and one listener per request. More would slow down cached answers. */
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
