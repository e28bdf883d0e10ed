import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { addUsers, test as base, databaseOf, PASSWORD } from './api.ts';
import { RunningService } from './running-service.ts';
import { ROOT, Workplace } from './workplace.ts';

export { expect } from '@playwright/test';
export { PASSWORD } from './api.ts';

/** Users of the admin interface's tests, with members of their documents. The sample's account is `wikimedia`. */
const USERS: Readonly<Record<string, object>> = {
  root: { api_roles: ['all'], global_admin: true },
  second: { api_roles: ['all'], global_admin: true },
  reader: { api_roles: ['all'], global_admin: true, readonly: true },
  objects: { api_roles: ['objects'] },
  syncer: { api_roles: ['syncer'] },
  author: { api_roles: ['rules', 'syncer'] },
  scoped: { api_roles: ['all'], restrict_to_accounts: ['api'] },
};

interface TestFixtures {
  /** Logs a user in and opens a page below `/admin`. What the browser complains about meanwhile fails the test. */
  readonly open: (path: string, user?: string, locale?: string) => Promise<Page>;
}

/** Tests of the pages in a browser, on a service with the sample's 964 hosts and rules and an account `api`. */
export const test = base.extend<TestFixtures>({
  service: [
    async ({ databaseServer }, use) => {
      const database = databaseServer === undefined ? 'sqlite:data/muster.db' : databaseOf(databaseServer);
      const place = await Workplace.create({
        SERVICE_DATABASE_URL: database,
        SERVICE_CMDB_MODE: '1',
        SERVICE_RATE_LIMIT_401_PER_MINUTE: '0',
        SERVICE_CRON_PASS_SECONDS: '1',
        SERVICE_PLUGINS: ['device-registry', 'site-tools']
          .map((name) => join(ROOT, 'examples', 'plugins', name))
          .join(),
      });
      await place.done(['demo', '--no-serve', '--database-url', database]);
      await addUsers(place, USERS, ['api']);
      const running = await RunningService.start(place);
      await use({ place, running });
      await running.stop();
      await place.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  open: async ({ browser, service }, use) => {
    const complaints: string[] = [];
    const pages: Page[] = [];
    await use(async (path, user = 'root', locale = 'en-US') => {
      const page = await browser.newPage({
        baseURL: service.running.url,
        locale,
        viewport: { width: 1280, height: 800 },
        // Otherwise what is closing is found beside what has come.
        reducedMotion: 'reduce',
      });
      pages.push(page);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // A refused call is the page's to show; everything else, such as a refused style, is a fault.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          complaints.push(message.text());
        }
      });
      const login = await page.request.post('/admin/api/session', { data: { name: user, password: PASSWORD } });
      base.expect(login.status()).toBe(200);
      await page.goto(`/admin${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    });
    await Promise.all(pages.map((page) => page.close()));
    base.expect(complaints).toEqual([]);
  },
});

/** Calls an operation as the page would, for what a test needs to be there; much faster than a command. */
export async function operate(page: Page, operation: string, input: object): Promise<void> {
  const response = await page.request.post(`/admin/api/operations/${operation}`, { data: input });
  base.expect(response.status(), await response.text()).toBe(200);
}
