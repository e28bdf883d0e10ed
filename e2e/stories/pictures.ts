import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/admin.ts';
import { ROOT } from '../support/workplace.ts';

export { expect, test };

const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/**
 * Takes what the page shows now as pictures, light, dark and on a phone, into `test-results/stories/<project>`, and asks that nothing of it
 * needs sideways moving.
 */
export async function pictures(page: Page, name: string): Promise<void> {
  const folder = join(ROOT, 'test-results', 'stories', test.info().project.name);
  for (const [kind, colorScheme, size] of [
    ['light', 'light', SIZES.wide],
    ['dark', 'dark', SIZES.wide],
    ['phone', 'light', SIZES.phone],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    await page.waitForTimeout(150);
    await page.screenshot({ path: join(folder, `${name}-${kind}.png`) });
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(beyond, `${name}, ${kind}`).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(SIZES.wide);
}
