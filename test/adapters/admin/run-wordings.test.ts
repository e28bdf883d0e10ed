import { afterEach, describe, expect, it } from 'vitest';
import { inLanguage } from '../../../src/adapters/admin/pages/language/service-texts.ts';
import { appendRunLog } from '../../../src/app/journal/run-log.ts';
import { severalText } from '../../../src/app/runs/import/decisions/key-match.ts';
import { importLogDetails } from '../../../src/app/runs/import/log-details.ts';
import { recordName } from '../../../src/kit/records/record-name.ts';
import { type ImportReport, ImportTally, summaryWording } from '../../../src/kit/summaries/import-summary.ts';
import { worded } from '../../../src/kit/worded.ts';
import { importOutcome } from '../../../src/plugins/shared/jobs/import-outcome.ts';
import { putTogether } from '../../support/english-wordings.ts';
import { json, misbehavingServer, status } from '../../support/misbehaving-server.ts';
import { AdminClient } from './admin-client.ts';
import { speakEnglish, speakGerman } from './speak-german.ts';

let client: AdminClient | undefined;

afterEach(async () => {
  speakEnglish();
  await client?.service.stop();
  client = undefined;
});

/** An import of which one record was left out by a rule of the account and one part could not be read. */
function report(): ImportReport {
  const tally = new ImportTally();
  tally.seen = 1_202;
  tally.created = 1_200;
  tally.notWritten({
    position: 'line 7',
    hostname: 'web1',
    kind: 'skipped',
    reason: worded`the host belongs to another account`,
  });
  const nameless = recordName({ name: null }, 'name');
  if ('reason' in nameless) tally.notWritten({ position: 'record 40', hostname: '', kind: 'skipped', ...nameless });
  tally.keyConflict({
    position: 'line 8',
    hostname: 'web2',
    reason: severalText({ key: 'serial=J1', hostnames: ['a', 'b', 'c', 'd'] }),
  });
  tally.gap({ what: 'page 7', reason: 'HTTP 500' });
  const summary = tally.summary(2_500);
  const { text: message, template, values } = summaryWording(summary);
  return {
    status: 'partial',
    message,
    wording: { template, values },
    cancelled: false,
    changesOnly: false,
    summary,
    notWritten: tally.records,
    notWrittenTotal: 2,
    gaps: tally.gaps,
    gapsTotal: 1,
    archivedSample: [],
    refused: 0,
    unseen: { count: 0, sample: [] },
    withdrawn: 0,
    leftOut: 0,
    emptied: 0,
    renamed: 0,
    renamedSample: [],
    keyConflicts: tally.keyConflicts,
    keyConflictsTotal: tally.keyConflictsTotal,
    warnings: tally.warnings,
    warningsTotal: tally.warningsTotal,
    relations: { added: 0, removed: 0 },
  };
}

async function withRun(): Promise<AdminClient> {
  client = await AdminClient.start();
  const { storage } = client.service;
  const clock = { now: () => new Date('2026-03-01T11:00:00Z') };
  const logger = { error: (_text: string, { error }: { error: unknown }) => expect.fail(String(error)) };
  await appendRunLog(
    { logs: storage.logs, clock, logger: logger as never, newId: () => 'a'.repeat(24) },
    {
      kind: 'import',
      account: 'crm',
      report: report(),
      details: importLogDetails(report(), clock.now()),
      isComplete: false,
    },
  );
  return client;
}

const ENGLISH = [
  '1,202 records: 1,200 created, 2 skipped in 2,500 ms',
  'line 8, "web2": has keys of several hosts (a, b, c, and 1 more), such as serial=J1: which of them it is is not known',
  'page 7 could not be read: HTTP 500',
  'line 7, "web1": skipped, the host belongs to another account',
  'record 40: skipped, has no name: "name" is null',
  'not complete since 2026-03-01 11:00:00, 1 run; no run was complete before',
];

describe('what the log says of a run', () => {
  it('is English for programs, and nothing else is with it', async () => {
    const { service } = await withRun();
    const { result } = (await service.request({ url: '/api/v1/syncer/logs' })).json();
    expect(result).toEqual([
      {
        entry_id: 'a'.repeat(24),
        time: '2026-03-01 11:00:00',
        source: 'import:crm',
        message: 'Import of crm partly done: 1,202 records: 1,200 created, 2 skipped',
        has_error: true,
        details: ENGLISH.map((message) => ({ name: expect.any(String), message })),
      },
    ]);
    const { runs } = (await service.request({ url: '/api/v1/runs' })).json();
    expect(runs[0]).toMatchObject({ message: '1,202 records: 1,200 created, 2 skipped', changed: 1_200 });
    expect(JSON.stringify(runs)).not.toContain('wording');
  });

  it('is said in the language of the pages', async () => {
    const admin = await withRun();
    const cookie = await admin.cookieOf('root');
    speakGerman();
    const shown = async (operation: string, input: object = {}) =>
      inLanguage(operation, (await admin.call(operation, cookie, input)).json());

    const [entry] = (await shown('syncer/list-logs')).entries;
    expect(entry.message).toBe('Import von crm teilweise erledigt: 1.202 Datensätze: 1.200 angelegt, 2 übersprungen');
    expect(entry.details.map(({ message }: { message: string }) => message)).toEqual([
      '1.202 Datensätze: 1.200 angelegt, 2 übersprungen in 2.500 ms',
      'line 8, "web2": hat Schlüssel mehrerer Hosts (a, b, c und 1 weitere), etwa serial=J1: Welcher davon er ist, ist nicht bekannt',
      'nicht gelesen: page 7: HTTP 500',
      'line 7, "web1": übersprungen, der Host gehört zu einem anderen Konto',
      'record 40: übersprungen, hat keinen Namen: "name" ist null',
      'nicht vollständig seit 2026-03-01 11:00:00, 1 Lauf; vorher war kein Lauf vollständig',
    ]);
    const { runs } = await shown('runs/list-runs');
    expect(runs[0].message).toBe('1.202 Datensätze: 1.200 angelegt, 2 übersprungen');
    const one = await shown('runs/show-run', { place: runs[0].place });
    expect(one.details[0].message).toBe('1.202 Datensätze: 1.200 angelegt, 2 übersprungen in 2.500 ms');
    const account = await shown('accounts/show-account', { name: 'crm' });
    expect(account.last_run.message).toBe(entry.message);
    expect(account.incomplete.message).toBe(entry.message);
  });

  it('stays English where an older entry has no parts', async () => {
    const admin = await withRun();
    const at = new Date('2026-03-01T11:30:00Z');
    const message = 'Import of crm done: 3 records: 3 created';
    await admin.service.storage.logs.append({
      id: 'b'.repeat(24),
      at,
      message,
      source: 'import:crm',
      details: [{ level: 'info', message: '3 records: 3 created in 4 ms' }],
      hasError: false,
    });
    speakGerman();
    const { entries } = inLanguage(
      'syncer/list-logs',
      (await admin.call('syncer/list-logs', await admin.cookieOf('root'))).json(),
    );
    expect(entries[0]).toMatchObject({ message, details: [{ message: '3 records: 3 created in 4 ms' }] });
  });

  it('is said by jobs of cron groups too, with the reason of the import', () => {
    speakGerman();
    const { message, wording } = report();
    const summary = { seen: 1_201, created: 1_200, skipped: 1 };
    const { details, ...done } = importOutcome('crm', { status: 'partial', message, wording, summary } as never);
    expect(done.message).toBe('1,201 records, 1,200 created, 1 skipped');
    expect(inLanguage('syncer/list-logs', done)).toEqual({
      message: '1.201 Datensätze, 1.200 angelegt, 1 übersprungen',
    });
    expect(inLanguage('syncer/list-logs', details?.[0])).toMatchObject({
      message: 'Import von crm: 1.202 Datensätze: 1.200 angelegt, 2 übersprungen',
    });
  });
});

describe('an import whose system does not answer as it should', () => {
  it('says on pages what of it was not read', async () => {
    const system = await misbehavingServer();
    try {
      system.at('/hosts', json({ list: [{ name: 'web1' }], has_more: true }));
      client = await AdminClient.start();
      const cookie = await client.cookieOf('root');
      const settings = { url: system.origin, path: '/hosts', hostname_field: 'name' };
      await client.call('accounts/add-account', cookie, { name: 'dcim', type: 'rest', settings });
      const answer = (await client.call('imports/import-account', cookie, { account: 'dcim' })).json();
      expect(answer.gaps).toMatchObject([{ what: 'the rest of the list' }]);
      speakGerman();
      expect(inLanguage('imports/import-account', answer).gaps).toEqual([
        {
          what: expect.stringMatching(/Rest/),
          reason: expect.stringMatching(/^has_more .*ignored_members/),
        },
      ]);
    } finally {
      await system.close();
    }
  });

  it('keeps the parts of what the client of the system says, for pages in their language', async () => {
    const system = await misbehavingServer();
    try {
      system.at('/hosts', status(403));
      client = await AdminClient.start();
      const cookie = await client.cookieOf('root');
      const settings = { url: system.origin, path: '/hosts', hostname_field: 'name' };
      await client.call('accounts/add-account', cookie, { name: 'dcim', type: 'rest', settings });
      const english = (await client.call('imports/import-account', cookie, { account: 'dcim' })).json();
      const said = `GET ${system.origin}/hosts is forbidden (403): the login works, but that user may not do this; give it the right there`;
      expect(english.message).toBe(said);

      const [entry] = await client.service.storage.logs.latest({ limit: 1 });
      expect(entry?.message).toBe(`Import of dcim failed: ${said}`);
      expect(entry?.wording && putTogether(entry.wording)).toBe(entry?.message);

      speakGerman();
      const german = `GET ${system.origin}/hosts ist verboten (403): Die Anmeldung gelingt, aber dieser Benutzer darf das nicht; geben Sie ihm dort das Recht`;
      expect(inLanguage('imports/import-account', english).message).toBe(german);
      const { entries } = inLanguage('syncer/list-logs', (await client.call('syncer/list-logs', cookie)).json());
      expect(entries[0].message).toBe(`Import von dcim fehlgeschlagen: ${german}`);
    } finally {
      await system.close();
    }
  });
});
