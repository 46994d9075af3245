import { readZip } from './import/read-zip.ts';

export interface PastedZips {
  /** In order, without duplicates */
  zips: string[];
  /** Entries from which a ZIP code was guessed, and how */
  guessed: { given: string; zip: string; reason: string }[];
  /** Entries without a ZIP code, and why */
  notUnderstood: { given: string; reason: string }[];
}

/** Reads ZIP codes separated by spaces, commas, semicolons, bars, or slashes. Pure. */
export function parsePastedZips(text: string): PastedZips {
  const pasted: PastedZips = { zips: [], guessed: [], notUnderstood: [] };
  const zips = new Set<string>();
  // Reports repeated entries once.
  for (const entry of new Set(text.split(SEPARATORS))) {
    if (!/[\p{L}\p{N}]/u.test(entry)) continue;
    const { outcome, zip, reason } = readZip(entry);
    if (zip === null) pasted.notUnderstood.push({ given: entry, reason });
    else zips.add(zip);
    if (outcome === 'guessed') pasted.guessed.push({ given: entry, zip, reason });
  }
  return { ...pasted, zips: [...zips].sort() };
}

const SEPARATORS = /[\s,;|/]+/;
