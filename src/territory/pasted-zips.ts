/** ZIPs as people paste them: from a mail, a table, a map; whatever stands between them. Pure. */
import { readZip } from './import/read-zip.ts';

export interface PastedZips {
  /** In order and each once */
  zips: string[];
  /** Entries in which one was guessed: how, for people */
  guessed: { given: string; zip: string; reason: string }[];
  /** Entries of which none could be made: why, for people */
  notUnderstood: { given: string; reason: string }[];
}

export function parsePastedZips(text: string): PastedZips {
  const pasted: PastedZips = { zips: [], guessed: [], notUnderstood: [] };
  const zips = new Set<string>();
  // Entries that are there twice are told once.
  for (const given of new Set(text.split(BETWEEN))) {
    if (!/[\p{L}\p{N}]/u.test(given)) continue;
    const { outcome, zip, reason } = readZip(given);
    if (zip === null) pasted.notUnderstood.push({ given, reason });
    else zips.add(zip);
    if (outcome === 'guessed') pasted.guessed.push({ given, zip, reason });
  }
  return { ...pasted, zips: [...zips].sort() };
}

const BETWEEN = /[\s,;|/]+/;
