/** Bundles modules with the options that all bundles share. */
import { rolldown } from 'rolldown';

/** The language of Node 20 and of the browsers that pages support */
export const TARGET = 'es2023';

/**
 * @param input options of Rolldown
 * @param output options for writing the files
 * @returns the written files
 */
export async function bundle(input, output) {
  const bundled = await rolldown({ ...input, transform: { target: TARGET } });
  const written = await bundled.write(output);
  await bundled.close();
  return written.output;
}
