import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { httpMetrics } from '../../src/adapters/http/metrics/metrics.ts';
import { addAccount } from '../../src/app/accounts/operations/add-account.ts';
import { localOperator } from '../../src/app/kernel/caller.ts';
import { importAccount } from '../../src/app/runs/import/operations/import-account.ts';
import { type HttpService, startHttpService } from '../adapters/http/http-service.ts';
import { temporaryFolder } from '../kit/shared/temporary-file.ts';
import { programPath, whyNot } from '../servers/install.ts';

const FOLDER = join(import.meta.dirname, '../../packaging/monitoring');
const REMOTE = '192.0.2.7';

let service: HttpService;
let text: string;

beforeAll(async () => {
  const folder = await temporaryFolder();
  const config = { ALLOW_INSECURE_API_AUTH: true, FILE_SOURCE_DIRS: [folder] };
  service = await startHttpService({ config, clock: { now: () => new Date() } });
  const path = join(folder, 'hosts.csv');
  await writeFile(path, 'host,site\nweb01,fra\nweb02,fra\n');
  for (const [name, file] of [
    ['lab', path],
    ['gone', `${path}.no`],
  ] as const) {
    const caller = localOperator({ name: 'test', path: 'test', requestId: 'test' });
    const account = { name, type: 'csv', settings: { path: file, hostname_field: 'host' } };
    await service.executor.value(addAccount, { kind: 'value', value: account }, caller);
    const run = service.executor.value(importAccount, { kind: 'value', value: { account: name } }, caller);
    await (name === 'gone' ? run.catch(() => undefined) : run);
  }
  await service.addUser('watcher', { api_roles: ['metrics'] });
  await service.addUser('limited', { api_roles: ['metrics'], restrict_to_accounts: ['lab'] });
  // The first one counts as a request.
  await metrics('watcher');
  text = (await metrics('watcher')).body;
});
afterAll(() => service.stop());

const metrics = (user: string | null, remoteAddress = user === null ? '127.0.0.1' : REMOTE) =>
  service.request({ url: '/metrics', user, remoteAddress });

describe('metrics of synchronisation', () => {
  it('tell of runs, hosts and when an account was last complete, by account', () => {
    expect(text).toContain('muster_runs_total{kind="import",account="lab",outcome="done"} 1');
    expect(text).toContain('muster_runs_total{kind="import",account="gone",outcome="failed"} 1');
    expect(text).toContain('muster_run_hosts_total{kind="import",account="lab",outcome="created"} 2');
    expect(text).toMatch(/muster_run_last_complete_timestamp_seconds\{kind="import",account="lab"\} \d+/);
    expect(text).not.toContain('timestamp_seconds{kind="import",account="gone"}');
    expect(text).toContain('muster_outbox_messages{state="dead"} 0');
    expect(text).toContain('muster_store_available 1');
    expect(text).toMatch(/muster_store_duration_seconds_count\{part="hosts",operation="saveLabels"\} 1/);
    expect(text).not.toContain('web01');
  });

  it('count each run once, however often they are read', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { body } = await metrics('watcher');
    expect(body).toContain('muster_runs_total{kind="import",account="lab",outcome="done"} 1');
  });

  it('hold the accounts of a restricted user alone', async () => {
    const { body } = await metrics('limited');
    expect(body).toContain('account="lab"');
    expect(body).not.toContain('gone');
  });

  it('hold no names for who is on this machine and shows no credentials', async () => {
    const { body } = await metrics(null);
    expect(body).not.toMatch(/account=|group=|"lab"|gone/);
    expect(body).toContain('muster_runs_total{kind="import",outcome="done"} 1');
    expect(body).toContain('muster_runs_total{kind="import",outcome="failed"} 1');
  });

  it('are those that the dashboard and the alerts name', async () => {
    const known = new Set(['up', ...[...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)]);
    for (const [, name] of text.matchAll(/^(muster_\w+_(?:bucket|sum|count))[ {]/gm)) known.add(name);
    // Measured by the process itself, which the application of this test does not do.
    for (const name of [
      'process_start_time_seconds',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      known.add(`muster_${name}`);
    const named = [...(await expressions()).matchAll(/\bmuster_\w+/g)].map(([name]) => name);
    expect(new Set(named).size).toBeGreaterThan(15);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Everything that Prometheus is asked by the dashboard and the alerts. */
async function expressions(): Promise<string> {
  const dashboard = JSON.parse(await readFile(join(FOLDER, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const alerts = parse(await readFile(join(FOLDER, 'muster-alerts.yaml'), 'utf8')) as {
    groups: { rules: { expr: string }[] }[];
  };
  return [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ].join('\n');
}

const missing = await whyNot({ programs: ['promtool'], packages: ['prometheus'] });
const title = missing === undefined ? 'promtool' : `promtool: not run, because ${missing}`;

describe.skipIf(missing !== undefined)(title, () => {
  const promtool = programPath('promtool') ?? 'promtool';
  const run = (...args: string[]) => promisify(execFile)(promtool, args, { cwd: FOLDER });

  it('takes the alerts, and they tell of what they should', async () => {
    expect((await run('check', 'rules', 'muster-alerts.yaml')).stdout).toContain('SUCCESS');
    expect((await run('test', 'rules', 'muster-alerts.test.yaml')).stdout).toContain('SUCCESS');
    await run('check', 'config', '--syntax-only', 'prometheus.yaml');
  });

  it('finds nothing wrong with the metrics, those of the process among them', async () => {
    const ofProcess = httpMetrics();
    ofProcess.start();
    const processText = await ofProcess.text();
    expect(processText).toContain('muster_process_resident_memory_bytes');
    for (const input of [text, processText]) {
      const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' });
      expect([status, stdout, stderr]).toEqual([0, '', '']);
    }
  });
});
