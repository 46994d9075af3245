/** The browser's part of passkeys, served from its package on our own origin. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** `<package>/script/index.js` */
const root = dirname(dirname(require.resolve('@simplewebauthn/browser')));
const { version } = require(join(root, 'package.json')) as { version: string };

/** Contains the version, so the file at the path never changes. */
export const webAuthnPath = `/simplewebauthn/${version}/browser.js`;

/** A classic script that defines the global `SimpleWebAuthnBrowser` */
export const WEBAUTHN_FILE = join(root, 'dist/bundle/index.umd.min.js');
