/**
 * sharp, loaded on first use: that takes 24 MB of memory, and 45 ms of CPU in each thread. It is loaded
 * with `require`, because its ES modules import CommonJS packages, which takes 40 ms more.
 */
import { createRequire } from 'node:module';

type LoadSharp = typeof import('sharp').default;

const require = createRequire(import.meta.url);

export const sharp = ((...options: Parameters<LoadSharp>) =>
  (require('sharp') as LoadSharp)(...options)) as LoadSharp;
