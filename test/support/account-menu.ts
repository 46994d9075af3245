import type { Page } from 'playwright-core';

/** Opens the navigation of the account area, which narrow screens show behind a button. */
export async function openAccountMenu(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Menu. You are at' });
  if (await button.isVisible()) await button.click();
}
