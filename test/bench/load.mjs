/**
 * A worker that asks one URL over and over. It writes to bare sockets and counts bytes, so that it
 * takes far less time than the server it measures.
 */
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { port, path, headers, connections, seconds } = workerData;
const request = [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

/** All answers are of one length: the first, which comes whole, tells it. */
async function answerLength() {
  const socket = connect(port, '127.0.0.1');
  socket.write(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  let head = '';
  let length = 0;
  for await (const chunk of socket) {
    head += head.includes('\r\n\r\n') ? '' : chunk.toString('latin1');
    length += chunk.length;
  }
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.slice(0, 200));
  return length - 'Connection: close\r\n'.length + keepAliveLength;
}
const keepAliveLength = 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n'.length;

const length = await answerLength();
let answers = 0;
const sockets = Array.from({ length: connections }, () => {
  const socket = connect(port, '127.0.0.1');
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
    if (received > length) throw new Error(`an answer of ${received} bytes, not ${length}`);
    if (received < length) return;
    received = 0;
    answers++;
    socket.write(request);
  });
  socket.write(request);
  return socket;
});
setTimeout(() => {
  for (const socket of sockets) socket.destroy();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort.postMessage(answers / seconds);
}, seconds * 1000);
