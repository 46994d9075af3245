/**
 * A process that requests one path until it has `total` responses, for many clients in turn if it is given
 * `clients`, beginning with the `first`. Its connections are divided among `ports`. It writes to plain sockets and counts bytes, so it uses
 * far less CPU than the servers that it loads. Sends a message at the end.
 */
import { connect } from 'node:net';

const {
  ports,
  path,
  headers,
  connections,
  total,
  clients = 1,
  first = 0,
} = JSON.parse(process.argv[2]);
const requests = Array.from({ length: clients }, (_, i) => {
  const client = clients > 1 ? [`X-Forwarded-For: 10.1.${i >> 8}.${i & 255}`] : [];
  return [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, ...client, '', ''].join('\r\n');
});
let asked = first;
const HEAD_END = '\r\n\r\n';

/** The length of the body, which is the same in every response */
async function bodyLength() {
  const socket = connect(ports[0], '127.0.0.1');
  socket.write(requests[first % clients].replace(HEAD_END, `\r\nConnection: close${HEAD_END}`));
  const chunks = [];
  for await (const chunk of socket) chunks.push(chunk);
  const answer = Buffer.concat(chunks);
  if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(String(answer));
  return answer.length - answer.indexOf(HEAD_END) - HEAD_END.length;
}

const length = await bodyLength();
let received = 0;
const sockets = Array.from({ length: connections }, (_, i) => {
  const socket = connect(ports[i % ports.length], '127.0.0.1');
  let head = '';
  /** Bytes of the body still to come, once the head is complete */
  let missing;
  const ask = () => {
    head = '';
    missing = undefined;
    socket.write(requests[asked++ % clients]);
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
    if (missing < 0) throw new Error(`a response that is ${-missing} bytes too long`);
    if (++received === total) finish();
    else ask();
  });
  ask();
  return socket;
});
function finish() {
  for (const socket of sockets) socket.destroy();
  process.send('finished', () => process.disconnect());
}
