/** A DNS server on this machine that knows TXT records (RFC 1035). */
import { createSocket } from 'node:dgram';
import { afterAll } from 'vitest';

const TXT = 16;
const NO_SUCH_NAME = 3;
const REFUSED = 5;

export interface DnsServer {
  /** For `txtLookup` */
  address: string;
  /** Replaces the texts at a name; without any, the name doesn't exist. */
  set(name: string, ...texts: string[]): void;
  /** Lets the server refuse all questions, or answer none. */
  fail(how: 'refuses' | 'is silent' | null): void;
  /** Names that were asked for */
  asked: string[];
}

/** Runs until the tests of the file have ended. */
export async function startDns(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const records = new Map<string, string[]>();
  let failure: 'refuses' | 'is silent' | null = null;
  const asked: string[] = [];
  socket.on('message', (message, { port, address }) => {
    const { name, end } = nameIn(message);
    asked.push(name);
    if (failure === 'is silent') return;
    const texts = failure === null ? (records.get(name.toLowerCase()) ?? []) : [];
    const code = failure === 'refuses' ? REFUSED : texts.length === 0 ? NO_SUCH_NAME : 0;
    // The question, then answers that refer to its name at byte 12
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(texts.length, 6);
    header.writeUInt32BE(0, 8);
    const answers = texts.map((text) => {
      const data = Buffer.concat([...piecesOf(Buffer.from(text))]);
      const head = Buffer.alloc(12);
      head.writeUInt16BE(0xc00c, 0);
      head.writeUInt16BE(TXT, 2);
      head.writeUInt16BE(1, 4);
      head.writeUInt16BE(data.length, 10);
      return Buffer.concat([head, data]);
    });
    socket.send(Buffer.concat([header, message.subarray(12, end), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  afterAll(() => void socket.close());
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, ...texts) => void records.set(name.toLowerCase(), texts),
    fail: (how) => (failure = how),
    asked,
  };
}

/** The name of the question, and where the question ends */
function nameIn(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (message[at]! > 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!));
    at += 1 + message[at]!;
  }
  return { name: labels.join('.'), end: at + 5 };
}

/** A text consists of pieces of up to 255 bytes, each after its length. */
function* piecesOf(text: Buffer): Generator<Buffer> {
  for (let at = 0; at < text.length || at === 0; at += 255) {
    const piece = text.subarray(at, at + 255);
    yield Buffer.concat([Buffer.from([piece.length]), piece]);
  }
}
