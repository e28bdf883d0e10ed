import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { exportAccount } from '../../../src/app/exports/operations/export-account.ts';
import { makeStoredPlan } from '../../../src/app/exports/plans/operations/make-plan.ts';
import { showPlan } from '../../../src/app/exports/plans/operations/show-plan.ts';
import type { PlanEntryAnswer } from '../../../src/app/exports/plans/plan-answer.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import { OperationsApp } from '../../app/operations/operations-app.ts';
import { netbox as recipe } from '../../servers/netbox.ts';
import { describeServer } from '../../servers/servers.ts';
import { differencesBetween } from './compared-netboxes.ts';
import { RealNetBox } from './real-netbox.ts';

/*
 * Needs the oracle, which `npm run oracle -- install` installs. ORACLE_HOSTS=1000 makes so many hosts: it takes seconds for each of them, and
 * they are of the same kinds.
 */
const HOSTS = process.env.ORACLE_HOSTS ?? '20';
const ORACLE = fileURLToPath(new URL('../../oracle/run.mjs', import.meta.url));
const isInstalled = existsSync(new URL('../../../.oracle/venv', import.meta.url));
const LONG = { timeout: 4 * 60 * 60_000 };
const TEXT = { type: 'text', object_types: ['dcim.device', 'virtualization.virtualmachine'] };

async function emptied(netbox: RealNetBox): Promise<void> {
  await netbox.empty();
  for (const name of ['cmdbsyncer_id', 'floor']) await netbox.make('extras/custom-fields/', { name, ...TEXT });
}

/** Lets the oracle export into a NetBox, and answers what its installation gives away when it moves. */
async function exportedByOracle(netbox: RealNetBox): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-oracle-export-'));
  try {
    const file = join(folder, 'export.jsonl');
    const token = netbox.fact('token of version 1');
    const words = ['netbox', '--address', netbox.address, '--token', token, '--export', file, '--hosts', HOSTS];
    await promisify(execFile)(process.execPath, [ORACLE, ...words]);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What another installation gave away, with its account at a NetBox. */
async function moved(text: string, netbox: RealNetBox): Promise<OperationsApp> {
  const storage = memoryStorage()();
  await storage.start();
  const muster = await OperationsApp.over(storage);
  const { invalid } = await muster.run(importRules, { text });
  expect(Object.values(invalid).filter((count) => count > 0)).toEqual([]);
  const [, id = ''] = /"_id": \{"\$oid": "(\w+)"\}, "name": "truth"/.exec(text) ?? [];
  const ownership = { ownership_field: 'cmdbsyncer_id', ownership_value: id };
  const settings = { address: netbox.address, adopt: 'true', ...ownership };
  await muster.run(setAccount, { name: 'truth', settings, password: netbox.token });
  return muster;
}

async function entriesOf(muster: OperationsApp, plan: string): Promise<readonly PlanEntryAnswer[]> {
  const all: PlanEntryAnswer[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { entries, next }: { entries: PlanEntryAnswer[]; next: number | null } = await muster.run(showPlan, {
      plan,
      after,
      limit: 1000,
    });
    all.push(...entries);
    after = next;
  }
  return all;
}

/** Hosts that are hit by rules of which the oracle does less than they say. */
function beyondOf(text: string): ReadonlySet<string> {
  const names = [...text.matchAll(/"hostname": "([^"]+)", "labels": \{[^\n]*?"beyond": "yes"/g)].map(
    ([, name]) => name,
  );
  return new Set(names.map(String));
}

/** What `docs/migration.md` argues for, by kind. */
const ARGUED: Readonly<Record<string, readonly string[]>> = {
  cluster: ['site'],
  vm: ['cluster', 'serial'],
  contact: ['group'],
};

/** Where the ends of two exports differ, each argued for there. */
const DIFFERENCES = [
  'dcim/devices/ serial',
  'dcim/interfaces/ description',
  'dcim/manufacturers/ missing',
  'ipam/ip-addresses/ description',
  'tenancy/contacts/ groups',
  'virtualization/clusters/ scope',
  'virtualization/clusters/ scope_type',
  'virtualization/interfaces/ description',
  'virtualization/virtual-machines/ cluster',
  'virtualization/virtual-machines/ serial',
];

await describeServer(recipe, (server) => {
  it.runIf(isInstalled)('does what the oracle did, and no more than is argued for', LONG, async () => {
    const [theirs, ours] = [new RealNetBox(server()), new RealNetBox(server(), 'second')];
    await emptied(theirs);
    await emptied(ours);
    const text = await exportedByOracle(theirs);
    const muster = await moved(text, theirs);
    try {
      const { id, counts, message } = await muster.run(makeStoredPlan, { account: 'truth' });
      expect(message).toBe('');
      expect(counts).toMatchObject({ create: 0, delete: 0, move: 0, conflict: 0 });
      const entries = await entriesOf(muster, id);
      const changed = entries.filter(({ fields }) => fields.length > 0);
      const beyond = beyondOf(text);
      expect(beyond.size).toBeGreaterThan(0);
      for (const { kind, hostname, fields } of changed) {
        // Several hosts want one cluster, and the first of them stands there.
        if (kind !== 'cluster') expect(beyond).toContain(hostname);
        for (const { name } of fields) expect(ARGUED[kind], `${kind} of ${hostname}`).toContain(name);
      }
      expect(new Set(changed.map(({ kind }) => kind))).toEqual(new Set(Object.keys(ARGUED)));
      const taken = ['cluster', 'interface', 'vm_interface', 'ip', 'prefix', 'contact'];
      expect(new Set(entries.filter(({ action }) => action === 'adopt').map(({ kind }) => kind))).toEqual(
        new Set(taken),
      );
    } finally {
      await muster.stop();
    }

    const beside = await moved(text, ours);
    try {
      expect(await beside.run(exportAccount, { account: 'truth' })).toMatchObject({ status: 'done', failures: [] });
      expect(Object.keys(await differencesBetween(theirs, ours)).sort()).toEqual(DIFFERENCES);
    } finally {
      await beside.stop();
    }
  });
});
