import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partJobs } from '../../../src/plugins/rest/jobs.ts';
import type { JsonObject, JsonValue, Source } from '../../../src/ports/index.ts';
import { record, sourceOf, type World, world } from '../../app/import/support.ts';
import { inEnglish } from '../../support/english-wordings.ts';
import { by, json, type MisbehavingServer, misbehavingServer } from '../../support/misbehaving-server.ts';
import { openRest, restType } from './rest-account.ts';

const FIXTURES = join(import.meta.dirname, '../../../src/plugins/rest/fixtures');
const answersOf = (name: string): readonly JsonValue[] =>
  JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')).exchange.map((one: JsonObject) => one.answer);

let server: MisbehavingServer;
beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());

const account = { username: 'muster', password: 'pass phrase 1' };

/** The part that a job reads, as its operation asks for it. */
async function asked(name: string): Promise<JsonObject> {
  const job = partJobs.find(({ id }) => id === name);
  let input: JsonObject = {};
  await job?.run({
    account: 'cmdb',
    operation: async (_operation: string, given: JsonObject) => {
      input = given;
      return {};
    },
  } as never);
  const { account: _, ...rest } = input;
  return rest;
}

async function runJob({ run }: World, source: Source, name: string, options: JsonObject = {}) {
  const type = await restType(name.startsWith('JDisc') ? 'jdisc' : 'cisco_dna');
  const { part, inventorize = false } = (await asked(name)) as { part: string; inventorize?: boolean };
  const parts = (type.parts ?? []).map(({ id }) => id);
  const section = type.parts?.find(({ id }) => id === part)?.section;
  return run(source, { parts, part, inventorize, section, options });
}

async function sectionsOf({ storage }: World, hostname: string): Promise<unknown> {
  return (await storage.hosts.get(hostname, null))?.inventory.value;
}

describe('software of JDisc', () => {
  const open = () => openRest(server.origin, { import_unnamed_devices: 'false' }, { type: 'jdisc', account });
  /** By what the query asks for. */
  function serve(): void {
    const [login, devices] = answersOf('jdisc');
    const [, applications] = answersOf('jdisc-applications');
    const [, executables] = answersOf('jdisc-executables');
    server.at(
      '/',
      by(({ body }) => {
        const { query } = JSON.parse(body) as { query: string };
        if (query.startsWith('mutation')) return json(login);
        if (query.includes('installedApplications')) return json(applications);
        return json(query.includes('installedExecutableFiles') ? executables : devices);
      }),
    );
  }

  it('becomes objects of the account, called as they are in existing installations', async () => {
    serve();
    const there = await world();
    const { summary } = await runJob(there, await open(), 'JDisc: Import Applications');
    expect(summary).toMatchObject({ created: 3, skipped: 1 });
    await runJob(there, await open(), 'JDisc: Import Executables');
    expect(await there.active()).toEqual([
      'device=srv-db01:application:7-Zip',
      'device=srv-file01:application:7-Zip',
      'device=srv-file01:application:Microsoft Edge',
      'device=srv-file01:executableFile:Notepad',
    ]);
    const name = 'device=srv-file01:application:7-Zip';
    expect(await there.labels(name)).toEqual({ id: '77', manufacturer: 'Igor Pavlov', version: '22.01' });
    expect(await there.storage.hosts.get(name, null)).toMatchObject({ isObject: true, objectType: 'application' });
  });

  it('stays when devices are imported, which take back only what they brought', async () => {
    serve();
    const there = await world();
    const options = { delete_host_if_not_found_on_import: true, delete_threshold_percent: 100 };
    await runJob(there, await open(), 'JDisc: Import Applications', options);
    const parts = ['devices', 'applications', 'executables'];
    await there.run(await open(), { parts, options });
    const before = await there.active();
    expect(before).toContain('srv-file01');
    expect(before).toContain('device=srv-db01:application:7-Zip');
    expect((await there.run(await open(), { parts, options })).summary).toMatchObject({ archived: 0, updated: 0 });
    const { summary } = await runJob(there, await open(), 'JDisc: Import Applications', options);
    expect(summary).toMatchObject({ unchanged: 3, archived: 0 });

    const [login] = answersOf('jdisc');
    const none = { data: { devices: { findAll: [{ id: '9', name: 'other', serialNumber: 'x' }] } } };
    server.at(
      '/',
      by(({ body }) => json(body.includes('mutation') ? login : none)),
    );
    await there.run(await open(), { parts, options });
    expect(await there.active()).toEqual([...before.filter((name) => name.startsWith('device=')), 'other']);
  });

  it('fills sections of its own at devices that are there', async () => {
    serve();
    const there = await world();
    await there.run(sourceOf([record('srv-file01'), record('sw-core')]));
    const options = { inventorize_key: 'jdisc' };
    const { summary } = await runJob(there, await open(), 'JDisc: Inventorize Applications', options);
    expect(summary).toMatchObject({ created: 0, updated: 2 });
    await runJob(there, await open(), 'JDisc: Inventorize Executables', options);
    expect(await sectionsOf(there, 'srv-file01')).toEqual({
      jdisc_applications: {
        list: [
          {
            source: 'Registry',
            installationPath: 'C:\\Program Files\\7-Zip',
            installationDate: '2023-02-01',
            application: { id: '77', name: '7-Zip', manufacturer: 'Igor Pavlov', version: '22.01' },
          },
          expect.objectContaining({ application: expect.objectContaining({ name: 'Microsoft Edge' }) }),
        ],
      },
      jdisc_executables: {
        list: [
          {
            installationPath: 'C:\\Windows\\System32',
            executableFile: {
              binaryName: 'notepad.exe',
              name: 'Notepad',
              manufacturer: 'Microsoft Corporation',
              version: '10.0.17763.1',
            },
          },
        ],
      },
    });
    expect(await sectionsOf(there, 'sw-core')).toMatchObject({ jdisc_applications: { list: [] } });
    const without = await runJob(there, await open(), 'JDisc: Inventorize Applications');
    expect(without).toMatchObject({ status: 'failed', message: expect.stringMatching(/^set inventorize_key/) });
  });
});

describe('interfaces of Cisco DNA Center', () => {
  it('fill the section of existing installations, and one of the account where it names one', async () => {
    server.at('/dna/system/api/v1/auth/token', json({ Token: 't' }));
    const devices = [
      { id: 'd1', hostname: 'spine1.abc.inc', serialNumber: 'FOC2135Z00T' },
      { id: 'd2', hostname: 'leaf1.abc.inc', serialNumber: 'FOC2135Z00U' },
    ];
    server.at(
      '/dna/intent/api/v1/network-device',
      by(({ path }) => json({ response: path.includes('offset=1&') ? devices : [], version: '1.0' })),
    );
    const vlan = { id: '72ee', portName: 'Vlan835', status: 'up', adminStatus: 'UP', mtu: '1500', serialNo: 'x' };
    server.at('/dna/intent/api/v1/interface/network-device/d1', json({ response: [vlan], version: '1.0' }));
    server.at('/dna/intent/api/v1/interface/network-device/d2', json({}, {}, 500));
    const there = await world();
    await there.run(sourceOf([record('spine1.abc.inc'), record('leaf1.abc.inc')]));
    const open = () => openRest(server.origin, {}, { type: 'cisco_dna', account });
    const report = await runJob(there, await open(), 'Cisco DNA: Get Interfaces');
    expect(inEnglish(report)).toMatchObject({ status: 'partial', gaps: [{ what: 'what belongs to leaf1.abc.inc' }] });
    expect(await sectionsOf(there, 'spine1.abc.inc')).toEqual({
      cisco_dnainterface_: {
        '72ee_portName': 'Vlan835',
        '72ee_status': 'up',
        '72ee_adminStatus': 'UP',
        '72ee_description': null,
        '72ee_mtu': '1500',
        '72ee_name': null,
        '72ee_interfaceType': null,
        '72ee_macAddress': null,
        '72ee_speed': null,
        '72ee_duplex': null,
        '72ee_portMode': null,
        '72ee_vlanId': null,
      },
    });
    expect(await sectionsOf(there, 'leaf1.abc.inc')).toEqual({});
    await runJob(there, await open(), 'Cisco DNA: Get Interfaces', { inventorize_key: 'ports' });
    expect(await sectionsOf(there, 'spine1.abc.inc')).toMatchObject({ ports: { '72ee_portName': 'Vlan835' } });
  });
});
