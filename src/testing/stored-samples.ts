import { type Storage, TRANSFER_PARTS, type TransferPart, type TransferRecord } from '../ports/index.ts';
import { countsOfDay } from './host-count-store.contract.ts';
import { ownedObject } from './ownership-store.contract.ts';
import { playbookMatch, playbookRun } from './playbook-store.contract.ts';
import {
  actor,
  archiveNames,
  blue,
  byteOrdered,
  labelsText,
  labelWrite,
  minute,
  nets,
  red,
  ruleId,
  ruleWrite,
  save,
  saveNames,
  saveSection,
  writeRules,
} from './samples.ts';

/** Something of every kind that a storage holds. */
export async function fillStorage(storage: Storage): Promise<void> {
  await fillRules(storage);
  const { hosts, relations } = storage;
  await saveNames(hosts, byteOrdered);
  const order = labelsText('{"b":1,"10":2,"a.b/c":"ü","__proto__":"x","2":[1,null,true]}');
  await hosts.saveLabels({
    ...labelWrite({}, { at: minute(2), runId: 'run-1' }),
    entries: [{ hostname: 'A', labels: order }],
  });
  await save(hosts, { net: {} }, { account: nets });
  await saveSection(hosts, 'A', 'facts', { '10': 1, cpu: { cores: 4 }, empty: {} });
  await saveSection(hosts, 'A', 'facts', { cpu: { cores: 8 } });
  const contribution = { accountId: blue.id, precedence: 10, at: minute(3), actor, runId: 'run-2' };
  await hosts.contributeLabels({
    ...contribution,
    entries: [
      { hostname: 'A', labels: labelsText('{"owner":"ops"}') },
      { hostname: 'z', labels: labelsText('{"owner":null}') },
    ],
  });
  await archiveNames(hosts, ['B', 'Z'], 'operator');
  await hosts.restore({ hostnames: ['B'], at: minute(6), scope: null, actor });
  await relations.add({ hostname: 'A', type: 'runs_on', target: 'a', source: 'manual' }, null);
  await relations.add({ hostname: 'A', type: 'depends_on', target: 'ab', source: 'import' }, null);
  await relations.add({ hostname: 'ab', type: 'runs_on', target: 'A', source: 'manual' }, null);
  await relations.name({
    source: 'vcenter',
    edges: [{ hostname: 'ab', type: 'member_of', target: 'later' }],
    at: minute(5),
  });
  const filled = { accountId: red.id, kind: 'section', value: 'facts', at: minute(5) } as const;
  await storage.marks.put({ ...filled, hostnames: ['A', 'ab'] });
  await storage.marks.put({ ...filled, accountId: blue.id, kind: 'part', value: 'vms', hostnames: ['A'] });
  await storage.marks.putKeys({ ...filled, keys: [{ hostname: 'A', value: 'serial=J4711' }] });
  await storage.logs.append({
    id: ruleId(1),
    at: minute(4),
    message: 'Import "red"',
    source: 'csv',
    details: [
      {
        level: 'warning',
        message: 'line 2',
        incomplete: { since: 'then', runs: 1, lastComplete: null, part: 'vms', message: 'failed' },
        bookmark: { text: '17', wholeAt: 'then', account: 'a', part: 'vms' },
        undid: { id: 'a'.repeat(24), at: '2026-01-01T00:00:00.000Z', lastComplete: null },
        plan: 'b'.repeat(24),
        began: 'then',
      },
    ],
    hasError: false,
  });
  const entry = { actor: 'ada', entrance: 'cli', address: '', outcome: 'done', requestId: 'r' };
  const saved = { ...entry, at: minute(4), operation: 'hosts/save-host' };
  await storage.audit.append([
    { ...saved, id: ruleId(8), subject: 'A', details: '', link: null },
    { ...saved, id: ruleId(9), subject: 'B', details: 'a → b', link: null },
  ]);
  const links = [1, 2].map((seq) => ({
    ...saved,
    id: ruleId(30 - seq),
    subject: 'C',
    details: '',
    link: { seq, mark: `${seq}` },
  }));
  await storage.audit.append(links, { from: null, to: '{"chain":1}' });
  await storage.access.recordTokenUse([
    { tokenId: 't2', at: minute(7) },
    { tokenId: 't1', at: minute(8) },
  ]);
  await fillCron(storage);
  await fillPlaybooks(storage);
  await storage.ownership.save(red.id, [
    ownedObject('a'),
    ownedObject('B', { remoteId: null, pending: ['name', 'site'], secrets: 'sealed' }),
    ownedObject('a', { kind: 'site' }),
  ]);
  await storage.ownership.save(blue.id, [ownedObject('a')]);
  for (const day of ['2026-01-02', '2025-12-31']) await storage.hostCounts.keep(countsOfDay(day));
}

/** A group that ended well, one whose holder died after an error, and one that is held. */
async function fillCron({ cron }: Storage): Promise<void> {
  const claim = { at: minute(10), leaseMs: 600_000, seenStart: null, requested: false };
  await cron.claim({ ...claim, groupId: ruleId(23), holder: 'n1' });
  await cron.finish({ groupId: ruleId(23), holder: 'n1', at: minute(11), message: 'done', hasError: false });
  await cron.claim({ ...claim, groupId: ruleId(21), holder: 'n2' });
  await cron.finish({ groupId: ruleId(21), holder: 'n2', at: minute(11), message: 'no "red"', hasError: true });
  await cron.claim({ ...claim, groupId: ruleId(21), holder: 'n3', at: minute(12), seenStart: minute(10) });
  await cron.release({ groupId: ruleId(21), holder: 'n3' });
  await cron.claim({ ...claim, groupId: ruleId(22), holder: 'n4', requested: true });
}

/** Stores a run that ended, an active one, and fired matches. */
async function fillPlaybooks({ playbooks, comments }: Storage): Promise<void> {
  for (const [number, hostname] of ['a', 'B', 'a'].entries())
    await comments.add({ hostname, id: ruleId(number + 1), at: minute(number), author: 'ada', text: 'Rack\n"4"' });
  await playbooks.begin(playbookRun(12));
  const limited = { hostname: null, choices: { search: 'rack:"R04"', hosts: { count: 1, first: ['a'] } } };
  const end = { id: ruleId(12), at: minute(13), status: 'failed', exitCode: 2, message: 'exit code 2' } as const;
  await playbooks.end({ ...end, output: 'fatal: "a"\n' });
  await playbooks.begin(playbookRun(11, { ...limited, source: 'user', startedBy: 'ada', checkMode: true }));
  await playbooks.keep({ id: ruleId(11), leaseMs: 600_000, output: 'PLAY' });
  for (const hostname of ['a', 'B']) await playbooks.remember(playbookMatch(hostname));
  await playbooks.remember(playbookMatch('B', { playbook: '' }));
  await playbooks.remember(playbookMatch('a', { playbook: 'b.yml', since: minute(3) }));
}

async function fillRules({ rules }: Storage): Promise<void> {
  for (const account of [red, blue, nets]) {
    await writeRules(rules, [ruleWrite(0, account.id, {}, { type: 'accounts', id: account.id })]);
  }
  await writeRules(rules, [ruleWrite(1, 'one', { n: 1 }), ruleWrite(2, 'two')]);
  // Twice in one moment, so that time alone does not order them.
  await writeRules(rules, [ruleWrite(1, 'one', { n: 2 })], 'replace', 2);
  await writeRules(rules, [ruleWrite(1, 'one', { n: 3 })], 'replace', 2);
  await rules.remove({ type: 'custom_attributes', id: ruleId(2), at: minute(3), actor });
  await writeRules(rules, [ruleWrite(2, 'two', { again: true })], 'skip', 4);
  const pool = { type: 'cmk_folder_pool', uniqueValue: '/a', confirmedBy: null };
  await writeRules(rules, [ruleWrite(3, 'pool', { folder_name: '/a', folder_seats_taken: 2 }, pool)]);
}

export type StoredParts = Readonly<Record<TransferPart, readonly TransferRecord[]>>;

/** Everything that a storage gives by `read`. */
export async function storedParts({ transfer }: Storage, batchSize = 3): Promise<StoredParts> {
  const parts = TRANSFER_PARTS.map(async (part) => {
    const records: TransferRecord[] = [];
    for await (const batch of transfer.read(part, { batchSize })) records.push(...batch);
    return [part, records] as const;
  });
  return Object.fromEntries(await Promise.all(parts)) as Record<TransferPart, TransferRecord[]>;
}

export async function writeParts({ transfer }: Storage, parts: StoredParts): Promise<void> {
  for (const part of TRANSFER_PARTS) await transfer.write(part, parts[part]);
}
