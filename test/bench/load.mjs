/**
 * A worker that asks one URL over and over. It writes to bare sockets and counts bytes, so that it
 * takes far less time than the server it measures. It posts how many answers a second came, and
 * within how many milliseconds 99 of 100 did.
 */
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { port, path, headers, connections, seconds } = workerData;
const request = [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const HEAD_END = '\r\n\r\n';

/** All answers have bodies of one length: the first, which comes whole, tells it. */
async function bodyLength() {
  const socket = connect(port, '127.0.0.1');
  socket.write(request.replace(HEAD_END, `\r\nConnection: close${HEAD_END}`));
  const chunks = [];
  for await (const chunk of socket) chunks.push(chunk);
  const answer = Buffer.concat(chunks);
  if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(String(answer));
  return answer.length - answer.indexOf(HEAD_END) - HEAD_END.length;
}

const length = await bodyLength();
const times = [];
const sockets = Array.from({ length: connections }, () => {
  const socket = connect(port, '127.0.0.1');
  let askedAt;
  let head = '';
  /** Of the body, once the head is whole: heads differ in length with what limits are left */
  let missing;
  const ask = () => {
    head = '';
    missing = undefined;
    askedAt = performance.now();
    socket.write(request);
  };
  socket.on('data', (chunk) => {
    if (missing === undefined) {
      head += chunk.toString('latin1');
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(head);
      missing = length - (head.length - end - HEAD_END.length);
    } else missing -= chunk.length;
    if (missing > 0) return;
    if (missing < 0) throw new Error(`an answer with ${-missing} bytes too many`);
    times.push(performance.now() - askedAt);
    ask();
  });
  ask();
  return socket;
});
setTimeout(() => {
  for (const socket of sockets) socket.destroy();
  times.sort((a, b) => a - b);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort.postMessage({
    perSecond: times.length / seconds,
    p99Ms: times[Math.floor(0.99 * times.length)],
  });
}, seconds * 1000);
