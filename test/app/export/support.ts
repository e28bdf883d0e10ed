import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { type ExportRequest, runExport } from '../../../src/app/exports/export-run.ts';
import type { OpenedTarget } from '../../../src/app/exports/open-target.ts';
import type { ExportReport } from '../../../src/kit/summaries/export-summary.ts';
import {
  type HostEvaluator,
  type HostRecord,
  type HostStore,
  type JsonObject,
  type LogEntry,
  type Storage,
  StoredJson,
  type Target,
  type TargetHost,
  type TargetRun,
} from '../../../src/ports/index.ts';
import { silent } from '../import/support.ts';

export interface ExportWorld {
  readonly storage: Storage;
  run(target: Target, settings?: RunSettings): Promise<ExportReport>;
  logs(): Promise<readonly LogEntry[]>;
}

interface RunSettings
  extends Partial<Pick<ExportRequest, 'scope' | 'timeoutSeconds' | 'signal' | 'dryRun' | 'progress'>> {
  readonly opened?: Partial<OpenedTarget>;
  readonly hosts?: Pick<HostStore, 'scan' | 'count'>;
}

/** A store of so many hosts, `h00000` and on, and exports over it. Rules are left out: each host has its labels as variables. */
export async function exportWorld(count: number): Promise<ExportWorld> {
  let time = Date.UTC(2025, 0, 1);
  let ids = 0;
  const clock = { now: () => new Date(time++) };
  const storage = memoryStorage()({ clock });
  await storage.start();
  await storage.hosts.saveLabels({
    account: { id: 'a'.repeat(24), isObject: false, objectType: 'host' },
    entries: Array.from({ length: count }, (_, index) => ({
      hostname: hostname(index),
      labels: StoredJson.ofValue({ n: index }),
    })),
    at: clock.now(),
    actor: { kind: 'account', name: 'test' },
  });
  return {
    storage,
    run(target, { opened, hosts, ...settings } = {}) {
      return runExport(
        {
          hosts: hosts ?? storage.hosts,
          logs: storage.logs,
          clock,
          logger: silent,
          newId: () => (++ids).toString(16).padStart(24, '0'),
        },
        {
          account: 'there',
          open: async () => ({
            pluginId: 'sample',
            target,
            options: { project: '', allow_empty: false, runs_at: '' },
            evaluator: labelsAsVariables(),
            groups: async () => [],
            mask: (text) => text.replaceAll('hunter2', '***'),
            ...opened,
          }),
          scope: null,
          timeoutSeconds: 5,
          signal: new AbortController().signal,
          ...settings,
        },
      );
    },
    logs: () => storage.logs.latest({ limit: 100 }),
  };
}

export function hostname(index: number): string {
  return `h${String(index).padStart(5, '0')}`;
}

/** Hosts whose label `hidden` is set are taken out, as a filter rule would. */
export function labelsAsVariables(): HostEvaluator {
  return {
    revision: '1',
    volatile: false,
    waiting: [],
    rowNames: [],
    evaluateRow: () => undefined,
    evaluate: ({ hostname: name, labels }: HostRecord) => ({
      hostname: name,
      included: labels.value.hidden !== true,
      variables: labels as StoredJson<JsonObject>,
      groups: [],
    }),
  };
}

/** A target of one function; `each` is called for every host. */
export function targetOf(each: (host: TargetHost, run: TargetRun) => unknown, end: () => object = () => ({})): Target {
  return {
    async write(hosts, run) {
      for await (const batch of hosts) for (const host of batch) await each(host, run);
      return end();
    },
  };
}
