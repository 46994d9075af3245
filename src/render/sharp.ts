/**
 * Loads sharp on first use, since few pictures need it in each thread. `require` takes half the time of `import`, because
 * sharp's ES modules import CommonJS packages.
 */
import { createRequire } from 'node:module';

type LoadSharp = typeof import('sharp').default;

const require = createRequire(import.meta.url);

export const sharp = ((...options: Parameters<LoadSharp>) =>
  (require('sharp') as LoadSharp)(...options)) as LoadSharp;
