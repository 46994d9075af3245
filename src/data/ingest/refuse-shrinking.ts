/** Keeps an import from removing most ZIP codes by mistake. */
import { ImportError } from '../../errors.ts';
import { formatCount, pluralize } from '../../base/text/words.ts';

/**
 * Refuses an import that would remove most ZIP codes: replacing the country with a single state is usually a
 * mistake.
 * @param kept ZIP codes after the import
 * @param present those before it
 * @param command the command that allows it
 * @throws ImportError if fewer than half would remain
 */
export function refuseShrinking(kept: number, present: number, command: string): void {
  if (kept >= present / 2) return;
  throw new ImportError(
    `The files have ${pluralize(kept, 'ZIP code')} and the database has ${formatCount(present)}, so the ` +
      `import would remove most ZIP codes. To import the files anyway, run \`${command}\`.`,
  );
}
