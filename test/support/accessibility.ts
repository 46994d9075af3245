/** Accessibility violations on a page, found by axe-core, and overflow. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SERIOUS: Result['impact'][] = ['serious', 'critical'];

/** Rules about colors. Another color scheme affects no other rules. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Elements named per violation */
const MAX_ELEMENTS = 3;

/** Returns the serious and critical violations, each with the first elements that have it. */
export function seriousFaults(page: Page): Promise<string[]> {
  // Rules for less serious violations would take a quarter of the work.
  return faults(page, `({ impact }) => ${JSON.stringify(SERIOUS)}.includes(impact)`);
}

/** Returns the violations of colors, for a page that was already checked in another color scheme. */
export function colorFaults(page: Page): Promise<string[]> {
  return faults(page, `({ id }) => ${JSON.stringify(COLOR_RULES)}.includes(id)`);
}

/** Expects no overflow and no faults on small and large screens, light and dark. */
export async function expectFit(page: Page, what = page.url()): Promise<void> {
  for (const width of [375, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect([what, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        what,
        width,
      ]);
      const faultsOf = colorScheme === 'light' ? seriousFaults : colorFaults;
      expect([what, await faultsOf(page)]).toEqual([what, []]);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** @param isWanted source of a function that selects among the rules that are enabled by default */
async function faults(page: Page, isWanted: string): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, {
      resultTypes: ['violations'],
      preload: false,
      rules: Object.fromEntries(axe._audit.rules
        .filter((rule) => !(${isWanted})(rule))
        .map(({ id }) => [id, { enabled: false }])),
    })`,
  );
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact))
    .map(({ id, nodes }) => {
      const places = nodes.slice(0, MAX_ELEMENTS).map(({ target }) => target.join(' '));
      return `${id}, ${nodes.length} times: ${places.join(', ')}`;
    });
}
