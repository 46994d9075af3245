/** Accessibility violations on a page, found by axe-core. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SERIOUS = new Set<Result['impact']>(['serious', 'critical']);

/** Elements named per violation */
const MAX_ELEMENTS = 3;

/** Returns the serious and critical violations, each with the first elements that have it. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { resultTypes: ['violations'] })`,
  );
  return violations
    .filter(({ impact }) => SERIOUS.has(impact))
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, MAX_ELEMENTS).map(({ target }) => target.join(' '));
      return `${id}, ${nodes.length} times: ${places.join(', ')}`;
    });
}
