/** The two ways in which a person acts on a page: with a keyboard alone, or with a mouse. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface Hands {
  press(control: Locator): Promise<void>;
  /** Checks a box or a radio button. */
  check(control: Locator): Promise<void>;
  /** Replaces the text of a field, or chooses the option that begins with the text. */
  enter(field: Locator, text: string): Promise<void>;
}

const MOST_STOPS = 120;

/** Presses Tab until the control has the focus, from wherever the focus is. */
export async function goTo(
  page: Page,
  control: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  // A disabled button never gets the focus.
  await expect.poll(() => control.isEnabled()).toBe(true);
  const element = await control.elementHandle();
  const isReached = () =>
    page.evaluate((one) => one === (globalThis as any).document.activeElement, element);
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await isReached()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${MOST_STOPS} stops of Tab don't reach ${String(control)}.`);
}

export const onKeyboard = (page: Page): Hands => {
  const pressKey = async (control: Locator, key: string) => {
    await goTo(page, control);
    await page.keyboard.press(key);
  };
  return {
    press: (control) => pressKey(control, 'Enter'),
    check: (control) => pressKey(control, 'Space'),
    async enter(field, text) {
      await goTo(page, field);
      if ((await field.evaluate(({ tagName }) => tagName)) === 'INPUT') {
        await page.keyboard.press('Control+a');
      }
      await page.keyboard.type(text);
    },
  };
};

export const withMouse = (): Hands => ({
  press: (control) => control.click(),
  check: (control) => control.check(),
  async enter(field, text) {
    const isMenu = (await field.evaluate(({ tagName }) => tagName)) === 'SELECT';
    await (isMenu ? field.selectOption({ label: text }) : field.fill(text));
  },
});
