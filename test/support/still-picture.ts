/** Pictures of maps in a browser. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Returns a picture of an element once it has stopped changing. */
export async function stillPicture(element: Locator): Promise<Buffer> {
  let last: Buffer = Buffer.alloc(0);
  await expect
    .poll(async () => {
      const before = last;
      last = await element.screenshot();
      return last.equals(before);
    })
    .toBe(true);
  return last;
}
