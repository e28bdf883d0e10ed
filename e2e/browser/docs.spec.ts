import { expect, test } from '../support/admin.ts';
import { findings } from '../support/axe.ts';

test('the documentation is found in the menu and searched by keyboard', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/');
  await page.getByRole('button', { name: 'User root' }).click();
  await expect(page.getByRole('menuitem', { name: 'Documentation' })).toHaveAttribute('href', '/docs/');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Cron groups' }).click();
  await expect(page.getByRole('link', { name: 'Help for this page' })).toHaveAttribute(
    'href',
    '/docs/pages.html#cron-groups',
  );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await page.goto('/docs');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Documentation');

  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: 'Search the documentation' });
  await expect(search).toBeFocused();
  await search.fill('archive threshold');
  await expect(page.getByRole('option').first()).toBeVisible();
  await search.press('ArrowDown');
  await expect(page.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await search.fill('delete_host_if_not_found');
  await expect(page.getByRole('option', { name: /Sources/ }).first()).toBeVisible();
  await search.press('Enter');
  await expect(page).toHaveURL(/\/docs\/\w[\w-]*\.html/);

  await search.fill('zzzznothing');
  await expect(page.getByRole('status')).toContainText('Nothing found');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  expect(new Set(asked)).toEqual(new Set([new URL(page.url()).origin]));
});

test('the documentation can be read in both colours, and on a phone', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/');
  for (const name of ['', 'rules.html', 'sources.html']) {
    await page.goto(`/docs/${name}`);
    for (const wanted of ['Dark colours', 'Light colours']) {
      await page.getByRole('button', { name: wanted }).click();
      expect(await findings(page), `${name} ${wanted}`).toEqual([]);
    }
  }

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/rules.html');
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBe(390);
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await expect(contents).toBeHidden();
  await page.getByRole('button', { name: 'Contents' }).click();
  await contents.getByRole('link', { name: 'Sources', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sources');
});
