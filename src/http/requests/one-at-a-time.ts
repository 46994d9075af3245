/**
 * Handles the requests of a connection one after another. Node parses all pipelined requests that have
 * arrived before it turns to another connection: a thousand small ones kept all others waiting for seconds
 * on a busy machine. Now other connections have their turn after each. Clients that pipeline are rare, and
 * get their answers in order anyway.
 */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

export function oneAtATime(listener: RequestListener): RequestListener {
  /** The following requests of connections with a running one */
  const following = new WeakMap<Socket, (() => void)[]>();
  return (req, res) => {
    const { socket } = req;
    const begin = () => {
      res.once('close', next);
      listener(req, res);
    };
    function next(): void {
      const begin = socket.destroyed ? undefined : following.get(socket)?.shift();
      if (begin) setImmediate(begin);
      else following.delete(socket);
    }
    const queue = following.get(socket);
    if (queue) queue.push(begin);
    else {
      following.set(socket, []);
      begin();
    }
  };
}
