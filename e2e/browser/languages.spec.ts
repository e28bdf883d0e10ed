import { expect, test } from '../support/admin.ts';

test('pages speak the language of the browser, and another one where it is chosen', async ({ open }) => {
  const page = await open('/profile', 'root', 'de-DE');
  await expect(page.getByRole('heading', { level: 1, name: 'Ihr Profil' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('link', { name: 'Regeln' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Regeln' })).toBeVisible();
  await page.goBack();
  await page.getByRole('combobox', { name: 'Sprache' }).click();
  await page.getByRole('option', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your profile' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});
