/** Writes large documents as YAML. */
import { letOthersRun } from '../../contract/let-others-run.ts';

/** Anchors would save a third of the size, but few YAML readers handle them well. */
const OPTIONS = { aliasDuplicateObjects: false };

/**
 * Returns the same text as `stringify`. It writes the entries of the maps in `large` one by one, so that
 * other requests can run in between: a contract takes 60 ms.
 */
export async function stringifyInSlices(
  document: object,
  large: ReadonlySet<unknown>,
): Promise<string> {
  // Loaded on demand: it takes 40 ms, and few clients ask for YAML.
  const { stringify } = await import('yaml');
  const slices: string[] = [];
  /** @param parents the keys that lead to the map */
  async function write(map: object, parents: readonly string[]): Promise<void> {
    for (const [key, value] of Object.entries(map)) {
      const keys = [...parents, key];
      if (large.has(value)) {
        slices.push(`${'  '.repeat(parents.length)}${key}:\n`);
        await write(value as object, keys);
      } else {
        // Folding depends on the indentation, so each entry is written with its parents.
        const nested = keys.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
        const lines = stringify(nested, OPTIONS);
        slices.push(withoutLines(lines, parents.length));
        await letOthersRun();
      }
    }
  }
  await write(document, []);
  return slices.join('');
}

function withoutLines(text: string, count: number): string {
  let from = 0;
  for (let line = 0; line < count; line++) from = text.indexOf('\n', from) + 1;
  return text.slice(from);
}
