import { beforeEach, expect, it } from 'vitest';
import { memoryStorage } from '../../../src/adapters/storage/memory/storage.ts';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { browseInventory } from '../../../src/app/inventory/operations/browse-inventory.ts';
import { checkNames } from '../../../src/app/inventory/operations/check-names.ts';
import { renderInventory } from '../../../src/app/inventory/operations/render-inventory.ts';
import { runDoctor } from '../../../src/app/maintenance/operations/run-doctor.ts';
import { createRule } from '../../../src/app/rules/operations/create-rule.ts';
import { searchHosts } from '../../../src/app/search/operations/search-hosts.ts';
import { type ReplicaState, StoredJson } from '../../../src/ports/index.ts';
import { red } from '../../../src/testing/samples.ts';
import { OperationsApp } from '../operations/operations-app.ts';

let muster: OperationsApp;
let readings: number;
let state: ReplicaState;

beforeEach(async () => {
  const storage = memoryStorage()({ clock: systemClock });
  await storage.start();
  await storage.hosts.saveLabels({
    account: red,
    entries: [{ hostname: 'alpha', labels: StoredJson.ofText('{"site":"fra"}') }],
    at: new Date(),
    actor: { kind: 'account', name: 'red' },
  });
  readings = 0;
  state = { behindSeconds: 2 };
  const replica = {
    scan(...request: Parameters<typeof storage.hosts.scan>) {
      readings++;
      return storage.hosts.scan(...request);
    },
    state: async () => state,
  };
  muster = await OperationsApp.serving({ ...storage, replica });
});

it('gives the hosts of whole inventories that have a revision, and of nothing else', async () => {
  const provider = 'automation';
  const whole = (): Promise<string> => muster.text(renderInventory, { provider });
  expect(await whole()).toContain('"alpha":{"site":"fra",');
  expect(readings).toBe(1);
  await muster.text(renderInventory, { provider, host: 'alpha', document: true });
  await muster.text(renderInventory, { provider, hosts: ['alpha'] });
  await muster.run(browseInventory, { provider });
  await muster.run(checkNames, { provider });
  await muster.run(searchHosts, { query: 'served.site:fra' });
  expect(readings).toBe(1);
  const rule = {
    name: 'seen',
    condition_typ: 'anyway',
    enabled: true,
    outcomes: [{ attribute_name: 'seen', attribute_value: '{{ syncer_last_seen }}' }],
  };
  await muster.run(createRule, { rule_type: 'automation_customvars', rule });
  expect(await whole()).toMatch(/"seen":"20/);
  expect(readings).toBe(1);
});

it.each<[ReplicaState, boolean, string]>([
  [{ behindSeconds: 2 }, true, '2 s behind'],
  [{ behindSeconds: 61 }, false, 'the replica is 61 s behind'],
  [{ fault: 'It is not a replica.' }, false, 'cannot be used: It is not a replica.'],
])('is a check of doctor: %j', async (found, ok, said) => {
  state = found;
  const { findings } = await muster.run(runDoctor, {});
  expect(findings.find(({ check }) => check === 'replica')).toMatchObject({
    ok,
    message: expect.stringContaining(said),
  });
});
