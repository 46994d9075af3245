/**
 * Loads sharp on first use, since that takes 24 MB of memory, and 45 ms of CPU in each thread. `require`
 * saves 40 ms: sharp's ES modules import CommonJS packages.
 */
import { createRequire } from 'node:module';

type LoadSharp = typeof import('sharp').default;

const require = createRequire(import.meta.url);

export const sharp = ((...options: Parameters<LoadSharp>) =>
  (require('sharp') as LoadSharp)(...options)) as LoadSharp;
