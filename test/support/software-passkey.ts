/** A passkey without a browser: signs challenges with a key in memory. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskey } from '../../src/people/account/passkeys.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');
/** The person is there, and the device has checked who it is. */
const PRESENT_AND_VERIFIED = 0x05;

export function softwarePasskey() {
  const id = base64url(randomBytes(16));
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // COSE (RFC 9053, 7.1): type EC2, algorithm ES256, curve P-256, and the point
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const stored: NewPasskey = {
    name: 'In memory',
    credential: { id, publicKey: new Uint8Array(cose), counter: 0 },
    transports: [],
  };
  return {
    stored,
    /** @returns the response of a browser at the site, as JSON */
    answer(site: string, challenge: string): string {
      const { origin, hostname } = new URL(site);
      const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
      const data = Buffer.concat([
        sha256(hostname),
        Buffer.from([PRESENT_AND_VERIFIED, 0, 0, 0, 0]),
      ]);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      });
    },
  };
}
