import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../support/admin.ts';
import { addUsers, PASSWORD } from '../support/api.ts';
import { RunningService } from '../support/running-service.ts';
import { Workplace } from '../support/workplace.ts';

const PATH = '/it/muster';

/** A reverse proxy that knows the service below a path, and nothing else. */
async function proxyBefore(service: () => string, takesAway: boolean) {
  const outside: string[] = [];
  const server = createServer((incoming, response) => {
    const { url = '/', method, headers } = incoming;
    if (url !== PATH && !url.startsWith(`${PATH}/`)) {
      outside.push(url);
      response.writeHead(404).end('another program');
      return;
    }
    const path = takesAway ? url.slice(PATH.length) || '/' : url;
    const passed = request(new URL(path, service()), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    outside,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

for (const takesAway of [true, false]) {
  test(
    `everything works below a path, behind a proxy that ${takesAway ? 'takes it away' : 'passes it on'}`,
    takesAway ? {} : { tag: '@thorough' },
    async ({ browser }) => {
      const place = await Workplace.create({ SERVICE_DATABASE_URL: 'sqlite:data/muster.db' });
      await place.done(['demo', '--no-serve', '--database-url', 'sqlite:data/muster.db']);
      await addUsers(place, { root: { api_roles: ['all'], global_admin: true } }, []);
      let running: RunningService | undefined;
      const proxy = await proxyBefore(() => running?.url ?? '', takesAway);
      const page = await browser.newPage({ baseURL: proxy.origin, reducedMotion: 'reduce' });
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      try {
        running = await RunningService.start(place, { SERVICE_BASE_URL: `${proxy.origin}${PATH}` });
        await page.goto(PATH);
        await expect(page).toHaveURL(`${proxy.origin}${PATH}/admin`);
        await page.getByLabel('User').fill('root');
        await page.locator('input[type=password]').fill(PASSWORD);
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: 'Hosts', exact: true }).first().click();
        await expect(page).toHaveURL(`${proxy.origin}${PATH}/admin/hosts`);
        const link = page.getByRole('table').getByRole('link').first();
        const name = (await link.textContent()) ?? '';
        await link.click();
        await expect(page).toHaveURL(new RegExp(`${PATH}/admin/hosts/.+`));
        await page.reload();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);

        await expect(page.getByRole('link', { name: 'Help for this page' })).toHaveAttribute(
          'href',
          `${PATH}/docs/pages.html#a-host`,
        );
        await page.getByRole('button', { name: 'User root' }).click();
        await page.getByRole('menuitem', { name: 'Log out' }).click();
        await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
        await expect(page).toHaveURL(`${proxy.origin}${PATH}/admin/`);

        await page.goto(`${PATH}/docs`);
        const search = page.getByRole('combobox', { name: 'Search the documentation' });
        await search.fill('delete_host_if_not_found');
        await expect(page.getByRole('option', { name: /Sources/ }).first()).toBeVisible();
        await search.press('Enter');
        await expect(page).toHaveURL(new RegExp(`${PATH}/docs/\\w[\\w-]*\\.html`));
        await page
          .getByRole('navigation', { name: 'This service' })
          .getByRole('link', { name: 'Admin interface' })
          .click();
        await expect(page).toHaveURL(`${proxy.origin}${PATH}/admin`);
        await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
        expect(proxy.outside.filter((url) => url !== '/favicon.ico')).toEqual([]);
        expect(complaints).toEqual([]);
      } finally {
        await page.close();
        await proxy.close();
        await running?.stop();
        await place.close();
      }
    },
  );
}
