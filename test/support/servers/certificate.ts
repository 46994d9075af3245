/** A self-signed certificate, made for each run so that no private key is in the repository. */
import { generateKeyPairSync, sign } from 'node:crypto';

/** ASN.1 in DER (X.690) */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const bytes = (...values: number[]) => Uint8Array.from(values);
const text = (tag: number, value: string) => der(tag, Buffer.from(value, 'latin1'));

const ECDSA_WITH_SHA256 = sequence(
  der(0x06, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)),
);
const COMMON_NAME = der(0x06, bytes(0x55, 0x04, 0x03));
const SUBJECT_ALT_NAME = der(0x06, bytes(0x55, 0x1d, 0x11));

/** @returns PEM, for `localhost` (RFC 5280) */
export function localCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, 'localhost'))));
  const days = sequence(text(0x17, '200101000000Z'), text(0x17, '491231235959Z'));
  const names = der(0x04, sequence(text(0x82, 'localhost')));
  const certified = sequence(
    der(0xa0, der(0x02, bytes(2))),
    der(0x02, bytes(1)),
    ECDSA_WITH_SHA256,
    name,
    days,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, names))),
  );
  const signature = sign('sha256', certified, privateKey);
  const whole = sequence(certified, ECDSA_WITH_SHA256, der(0x03, bytes(0), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g)!;
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
