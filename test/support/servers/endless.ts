/** Servers that never finish an answer, each in another way. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** Repeats a text until the client closes the connection. */
function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** The answer that takes the socket from a request */
export const switchProtocols = (socket: Socket) =>
  void socket.write(`${SWITCH}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);

/** What the server does after the first bytes of a request */
export const ENDLESS: Readonly<Record<string, (socket: Socket) => void>> = {
  'switches protocols': switchProtocols,
  'switches protocols without saying to which': (socket) => void socket.write(`${SWITCH}\r\n`),
  'says nothing': () => {},
  'sends early hints without end': (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'sends headers without end': (socket) => {
    socket.write(OK);
    repeat(socket, 'X-More: 1\r\n');
  },
  'stops within the body': (socket) => void socket.write(`${OK}Content-Length: 9\r\n\r\n{`),
  'sends a body without end': (socket) => {
    socket.write(`${OK}\r\n`);
    repeat(socket, ' ');
  },
};

/** @returns `http://127.0.0.1:…` */
export async function endlessServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
