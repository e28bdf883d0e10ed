import { defineConfig, type PlaywrightTestOptions, type PlaywrightWorkerOptions, type Project } from '@playwright/test';
import { hasPostgresql } from '../test/support/postgresql-server.ts';
import type { StorageKind } from './support/api.ts';

const chromium = process.env.CHROMIUM_PATH;

const BROWSER: PlaywrightTestOptions & PlaywrightWorkerOptions = {
  browserName: 'chromium',
  launchOptions: {
    ...(chromium ? { executablePath: chromium } : {}),
    // Without these a browser started as root does not run, and one without internet keeps trying to reach its maker.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  },
} as PlaywrightTestOptions & PlaywrightWorkerOptions;

const OTHER_STORE = { testDir: './api/rest', testIgnore: /(access|errors|inventory)\.spec/ };
const overPostgresql = process.env.THOROUGH !== undefined && hasPostgresql;

const projects: Project<PlaywrightTestOptions, PlaywrightWorkerOptions & { storageKind: StorageKind }>[] = [
  { name: 'api', testDir: './api' },
  // Who comes in, what is said about what cannot be understood, and what commands print is the same on every store.
  { ...OTHER_STORE, name: 'api-mongodb', use: { storageKind: 'mongodb' } },
  ...(overPostgresql ? [{ ...OTHER_STORE, name: 'api-postgresql', use: { storageKind: 'postgresql' as const } }] : []),
  { name: 'mcp', testDir: './mcp' },
  {
    name: 'mcp-mongodb',
    testDir: './mcp',
    grep: process.env.THOROUGH ? /starts the server by its name|--transport http/ : /--transport http/,
    use: { storageKind: 'mongodb' },
  },
  { name: 'nodes', testDir: './nodes' },
  { name: 'ansible', testDir: './ansible' },
  // What runs playbooks has suites of its own over every store. An inventory that is the same to the byte is read alike, by the collection too.
  {
    name: 'ansible-mongodb',
    testDir: './ansible',
    testIgnore: /playbooks|collection/,
    ...(process.env.THOROUGH ? {} : { grep: /to the byte/ }),
    use: { storageKind: 'mongodb' },
  },
  // What holds when something breaks; THOROUGH=1 runs it.
  { name: 'faults', testDir: './faults' },
  { name: 'faults-mongodb', testDir: './faults', testMatch: /killed-service/, use: { storageKind: 'mongodb' } },
  { name: 'browser', testDir: './browser', use: BROWSER },
  // What people do from beginning to end; THOROUGH=1 runs it, on each store.
  { name: 'stories', testDir: './stories', use: BROWSER },
  { name: 'stories-mongodb', testDir: './stories', use: { ...BROWSER, storageKind: 'mongodb' } },
  ...(overPostgresql
    ? [{ name: 'stories-postgresql', testDir: './stories', use: { ...BROWSER, storageKind: 'postgresql' as const } }]
    : []),
];

// Every test starts the service that it talks to, by the fixtures; there is none for all of them.
export default defineConfig<PlaywrightTestOptions, PlaywrightWorkerOptions & { storageKind: StorageKind }>({
  globalSetup: './global-setup.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  // More than processors: many tests wait for a service, a database or a clock.
  workers: 3,
  retries: 0,
  // The rest of what people do on the pages takes minutes more; THOROUGH=1 runs it, as before a release.
  ...(process.env.THOROUGH ? {} : { grepInvert: /@thorough/ }),
  timeout: 60_000,
  // What people see at once on a machine of their own takes longer beside two other tests.
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  projects,
});
