import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import type { Benchmark } from './support/benchmark.ts';
import { hostnameOf } from './support/hosts.ts';
import type { Kit } from './support/kit.ts';
import { leastMs } from './support/service.ts';

const HOSTS = 100_000;
const EDGES = 500;
const REPEATS = 5;
const RULE = 'Core sites';
const RULE_TYPE = 'automation_customvars';
const RULE_DOCUMENT = {
  name: RULE,
  enabled: true,
  condition_typ: 'all',
  conditions: [{ match_type: 'tag', tag: 'site', tag_match: 'equal', value: 'codfw', value_match: 'equal' }],
  outcomes: [{ attribute_name: 'tier', attribute_value: 'core' }],
};

interface Args {
  readonly folder: string;
}

/** Hosts, a rule over a part of them, and one host with many relations. */
async function fill({ folder }: Args) {
  const { addBasics, addHosts, addRules, CALLER, openProduct } = await import('./support/product.ts');
  const { addRelation } = await import('../src/app/relations/operations/add-relation.ts');
  const app = await openProduct({ folder, config: { CMDB_MODE: true } });
  await addBasics(app);
  await addHosts(app, HOSTS);
  await addRules(app, { [RULE_TYPE]: [RULE_DOCUMENT] });
  for (let index = 1; index <= EDGES; index++) {
    const value = { hostname: hostnameOf(0), type: 'depends_on', target: hostnameOf(index) };
    await app.executor.value(addRelation, { kind: 'value', value }, CALLER);
  }
  await app.stop();
  return {};
}

/** The built program, as `npm run build` has left it: pages are measured as people get them. */
async function serve({ folder }: Args): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(process.cwd(), 'bin', 'muster'), 'serve'], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...process.env,
      SERVICE_DATABASE_URL: `sqlite:${folder}/muster.db`,
      SERVICE_DATA_DIR: `${folder}/data`,
      SERVICE_HTTP_PORT: String(port),
      SERVICE_CMDB_MODE: '1',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const answers = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) return { url, child };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** What a person waits for: from the click or key until it is drawn. */
async function measure(kit: Kit): Promise<void> {
  const folder = await kit.folder();
  await kit.run('fill', { folder });
  const { url, child } = await serve({ folder });
  const browser = await openBrowser();
  try {
    const page = await logIn(browser, url);
    for (const { what, operation, input, draw, target } of JOBS) {
      const drawn = await leastMs(REPEATS, () => draw(page, url));
      const called = await leastMs(REPEATS, () => callOf(page, operation, input));
      kit.row({ what, product: drawn, unit: 'ms', target, note: `the call alone: ${called.toFixed(0)} ms` });
    }
  } finally {
    await browser.close();
    child.kill();
    await once(child, 'exit');
  }
}

interface Job {
  readonly what: string;
  readonly operation: string;
  readonly input: object;
  /** Ends when it is seen. */
  draw(page: Page, url: string): Promise<void>;
  /** Milliseconds. */
  readonly target: number;
}

const QUERY = 'site:codfw os:linux';

const JOBS: readonly Job[] = [
  {
    what: 'hosts, first rows',
    operation: 'search/search-hosts',
    input: { limit: 50, inventory: false },
    draw: (page, url) => opened(page, `${url}/admin/hosts`, 'table[aria-label="Hosts"] tbody tr:nth-child(20)'),
    target: 1000,
  },
  {
    what: `search ${QUERY}`,
    operation: 'search/search-hosts',
    input: { where: QUERY, limit: 50, inventory: false },
    draw: (page, url) =>
      opened(page, `${url}/admin/hosts?where=${encodeURIComponent(QUERY)}`, 'table[aria-label="Hosts"] tbody tr'),
    target: 1000,
  },
  {
    what: 'counts of values beside the list',
    operation: 'search/count-hosts',
    input: { fields: ['account', 'type'], labels: 6, values: 8 },
    draw: (page, url) =>
      opened(page, `${url}/admin/hosts`, 'section[aria-label="Facets"] section:nth-of-type(4) .facet-value'),
    target: 4000,
  },
  {
    what: `graph of ${EDGES} relations`,
    operation: 'relations/show-graph',
    input: { hostname: hostnameOf(0), hops: 2 },
    draw: (page, url) =>
      opened(page, `${url}/admin/hosts/${hostnameOf(0)}?tab=relations`, '[role="group"][aria-label^="Hosts around"]'),
    target: 2000,
  },
  {
    what: 'matches of the conditions of a rule',
    operation: 'rules/count-matches',
    input: { rule_type: RULE_TYPE, document: RULE_DOCUMENT },
    draw: async (page, url) => {
      await page.goto(`${url}/admin/rules/${RULE_TYPE}`);
      await page.getByRole('link', { name: RULE }).click();
      await page.getByText(/Matches [\d,]+ of [\d,]+ hosts/).waitFor();
    },
    target: 6000,
  },
];

async function opened(page: Page, address: string, selector: string): Promise<void> {
  await page.goto(address);
  await page.locator(selector).first().waitFor();
}

async function callOf(page: Page, operation: string, input: object): Promise<void> {
  const answer = await page.request.post(`/admin/api/operations/${operation}`, { data: input });
  if (!answer.ok()) throw new Error(`${operation}: ${await answer.text()}`);
}

/** Not bundled: it finds its own files beside its package. */
async function openBrowser(): Promise<Browser> {
  const name = 'playwright';
  const { chromium } = (await import(name)) as typeof import('playwright');
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
}

async function logIn(browser: Browser, url: string): Promise<Page> {
  const { USER } = await import('./support/product.ts');
  const page = await browser.newPage({ baseURL: url });
  await page.request.post('/admin/api/session', { data: { name: USER.name, password: USER.password } });
  await page.goto('/admin');
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

export const benchmark: Benchmark = {
  title: 'pages in a browser over 100,000 hosts, from the click until it is drawn',
  sides: { fill },
  measure,
};
