import { expect, type Locator, type Page } from '@playwright/test';

/** Waits for something among what needs attention; of a long list only a part is shown at first. */
export async function shownAmongNeeds(page: Page, wanted: Locator): Promise<void> {
  const more = page.getByRole('button', { name: /^Show \d+ more$/ });
  await expect(wanted.or(more).first()).toBeVisible();
  if (!(await wanted.isVisible())) await more.click();
  await expect(wanted).toBeVisible();
}
