import { expect, type Locator, type Page } from '@playwright/test';

/** What needs attention, all of it once it is found: of a long list only a part is shown at first. */
export async function allNeeds(page: Page): Promise<Locator> {
  const needs = page.getByRole('region', { name: /^Needs attention/ });
  await expect(needs).toBeVisible();
  // Finding some of it out evaluates all hosts.
  await expect(needs.getByRole('status', { name: 'Loading' })).toHaveCount(0, { timeout: 30_000 });
  const more = needs.getByRole('button', { name: /^Show \d+ more$/ });
  if (await more.isVisible()) await more.click();
  return needs;
}
