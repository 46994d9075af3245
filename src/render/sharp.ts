/** sharp, loaded with `require`: its ES modules import CommonJS packages, which takes 40 ms of CPU more. */
import { createRequire } from 'node:module';

export const sharp = createRequire(import.meta.url)('sharp') as typeof import('sharp').default;
