import { expect, PASSWORD, test } from '../support/admin.ts';

test('a page of a plugin shows what its action answers', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/');
  await page.getByRole('link', { name: 'Sites' }).click();
  await expect(page.getByRole('heading', { name: 'Sites', level: 1 })).toBeVisible();
  const frame = page.frameLocator('iframe[title="Sites"]');
  await expect(frame.getByRole('row', { name: /eqiad/ })).toContainText(/\d{3}/);
});

/** What the script of a page would find there. */
interface FrameWindow {
  readonly document: { readonly cookie: string };
  readonly localStorage: { readonly length: number };
  readonly parent: { readonly document: { readonly title: string } };
  readonly muster: { call(action: string): Promise<unknown> };
}

// Not by `open`: what the browser refuses here is what it complains about.
test('a page of a plugin reaches neither cookies, nor the page around it, nor the service', async ({
  browser,
  service: { running },
}) => {
  const page = await browser.newPage({ baseURL: running.url });
  await page.request.post('/admin/api/session', { data: { name: 'root', password: PASSWORD } });
  await page.goto('/admin/plugins/site-tools/sites');
  await page.frameLocator('iframe[title="Sites"]').getByRole('row', { name: /eqiad/ }).waitFor();
  const frame = page.frames().find((each) => each.url().includes('/plugin-pages/'));
  const reached = await frame?.evaluate(async () => {
    const tried = (attempt: () => unknown): string => {
      try {
        return String(attempt());
      } catch {
        return 'refused';
      }
    };
    const window = globalThis as unknown as FrameWindow;
    const { muster } = window;
    return {
      cookies: tried(() => window.document.cookie),
      storage: tried(() => window.localStorage.length),
      around: tried(() => window.parent.document.title),
      service: await fetch('/api/v1/objects/all').then(
        () => 'answered',
        () => 'refused',
      ),
      operation: await muster.call('../users/list-users').catch((error: Error) => error.message),
      unknown: await muster.call('no-such').catch((error: Error) => error.message),
    };
  });
  expect(reached).toEqual({
    cookies: 'refused',
    storage: 'refused',
    around: 'refused',
    service: 'refused',
    operation: 'there is no action ../users/list-users',
    unknown: 'there is no operation plugin.site-tools/no-such here',
  });
  await page.close();
});

test('who has not the role sees no page of the plugin', { tag: '@thorough' }, async ({ open }) => {
  const page = await open('/plugins/site-tools/sites', 'syncer');
  await expect(page.getByRole('link', { name: 'Sites' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
});
