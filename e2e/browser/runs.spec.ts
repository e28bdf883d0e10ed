import { mkdir, writeFile } from 'node:fs/promises';
import { expect, operate, test } from '../support/admin.ts';

test('what ran is narrowed in the address, and leads to what failed and to what changed', async ({
  open,
  name,
  service: { place },
}) => {
  const account = name();
  const file = `data/imports/${account}.csv`;
  const page = await open('/logs');
  await operate(page, 'accounts/add-account', {
    name: account,
    type: 'csv',
    settings: { path: file, hostname_field: 'host' },
  });
  await operate(page, 'imports/import-account', { account });
  await mkdir(place.path('data/imports'), { recursive: true });
  await writeFile(place.path(file), `host\n${account}-1\n`);
  await operate(page, 'imports/import-account', { account });

  await page.goto(`/admin/runs?account=${account}`);
  const runs = page.getByRole('table', { name: 'What ran' }).getByRole('row');
  await expect(runs).toHaveCount(3);
  await expect(runs.nth(1)).toContainText('1 created');
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'failed', exact: true }).click();
  await expect(page).toHaveURL(/outcome=failed/);
  await expect(runs).toHaveCount(2);
  await runs.nth(1).getByRole('link', { name: 'What failed' }).click();
  await expect(page.locator('.log')).toContainText(`${account}.csv does not exist`);
});
