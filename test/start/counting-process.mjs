/** Adds to one count until it's killed, and writes each count to a file: MODULE FOLDER FILE */
import { openSync, writeSync } from 'node:fs';

const [module, folder, file] = process.argv.slice(2);
const { openCountLog } = await import(module);
const log = openCountLog(folder, { room: 500 });
const out = openSync(file, 'a');
const addition = { key: 'the same client.', windowMs: 600_000 };
process.send('ready');
for (;;) {
  const additions = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => addition);
  writeSync(
    out,
    log.add(additions).reduce((lines, { count }) => `${lines}${count}\n`, ''),
  );
}
