import { beforeEach, describe, expect, it } from 'vitest';
import { jobOf, missingJob } from '../../../src/app/kernel/jobs/job-of.ts';
import type { JobType, JsonObject, Logger, SourceType, TargetType } from '../../../src/ports/index.ts';
import { BUILTIN_JOB_NAMES, registerBuiltins } from '../../support/builtin-registry.ts';
import { EngineHarness } from './engine-harness.ts';

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };

/** Every name that groups of existing installations have, with what happens to it here without further plugins. The plugins of the systems bring the names. */
const EXPECTED: readonly (readonly [name: string, account: string, does: string])[] = [
  ['CSV: Import Hosts', 'csv', 'imports/import-account {"account":"csv"}'],
  ['CSV: Inventorize Hosts', 'csv', 'imports/import-account {"account":"csv","inventorize":true}'],
  ['JSON FILE: Import Hosts', 'json', 'imports/import-account {"account":"json"}'],
  ['YML FILE: Import Hosts', 'yml', 'imports/import-account {"account":"yml"}'],
  ['YML FILE: Inventorize Objects', 'yml', 'imports/import-account {"account":"yml","inventorize":true}'],
  // The account of such a job has an address, and its file must not be read in the place of that.
  ['YML HTTP: Import Hosts', 'yml', 'imports/import-account {"account":"yml","part":"http"}'],
  ['YML HTTP: Inventorize Objects', 'yml', 'imports/import-account {"account":"yml","part":"http","inventorize":true}'],
  ['REST API: Import Objects', 'external_restapi', 'imports/import-account {"account":"external_restapi"}'],
  [
    'REST API: Inventorize Objects',
    'external_restapi',
    'imports/import-account {"account":"external_restapi","inventorize":true}',
  ],
  ['Mysql: Import Hosts', 'mysql', 'imports/import-account {"account":"mysql"}'],
  ['Mysql: Inventorize Hosts', 'mysql', 'imports/import-account {"account":"mysql","inventorize":true}'],
  ['MsSQL: Import Hosts', 'mssql', 'imports/import-account {"account":"mssql"}'],
  ['MsSQL: Inventorize Data', 'mssql', 'imports/import-account {"account":"mssql","inventorize":true}'],
  ['ODBC: Import Hosts', 'odbc', 'imports/import-account {"account":"odbc"}'],
  ['ODBC: Inventorize Data', 'odbc', 'imports/import-account {"account":"odbc","inventorize":true}'],
  ['LDAP: Import Objects', 'ldap', 'imports/import-account {"account":"ldap"}'],
  ['LDAP: Inventorize Data', 'ldap', 'imports/import-account {"account":"ldap","inventorize":true}'],
  ['Netbox: Import Devices', 'netbox', 'imports/import-account {"account":"netbox","part":"devices"}'],
  ['Netbox: Import VMs', 'netbox', 'imports/import-account {"account":"netbox","part":"vms"}'],
  [
    'Netbox: Import DCIM Interfaces',
    'netbox',
    'imports/import-account {"account":"netbox","part":"interfaces","inventorize":true}',
  ],
  [
    'Netbox: Import Virtualization Interfaces',
    'netbox',
    'imports/import-account {"account":"netbox","part":"vm_interfaces","inventorize":true}',
  ],
  ['Netbox: Sync Cluster', 'netbox', 'exports/export-account {"account":"netbox","part":"clusters"}'],
  ['Netbox: Sync Virutal Machines', 'netbox', 'exports/export-account {"account":"netbox","part":"vms"}'],
  ['Netbox: Update Contacts', 'netbox', 'exports/export-account {"account":"netbox","part":"contacts"}'],
  ['Netbox: Update DCIM Interfaces', 'netbox', 'exports/export-account {"account":"netbox","part":"interfaces"}'],
  [
    'Netbox: Update Dataflow',
    'netbox',
    'is not among what the plugin for NetBox brings; a plugin can register a job of this name',
  ],
  ['Netbox: Update Devices', 'netbox', 'exports/export-account {"account":"netbox","part":"devices"}'],
  ['Netbox: Update IPs', 'netbox', 'exports/export-account {"account":"netbox","part":"ips"}'],
  ['Netbox: Update Prefixes', 'netbox', 'exports/export-account {"account":"netbox","part":"prefixes"}'],
  [
    'Netbox: Update Virtualization Interfaces',
    'netbox',
    'exports/export-account {"account":"netbox","part":"vm_interfaces"}',
  ],
  ['Checkmk: Export Hosts', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export Rules', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export Groups', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export Tags', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export Users', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Generate Users', '', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export Passwords', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export BI Rules', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export BI Aggregations', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export DCD Rules', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Export Downtimes', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Activate Changes', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Bake and Sign Agents', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Import Hosts (V2)', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Import Sites', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Inventorize', 'cmkv2', 'Checkmk (accounts of type cmkv2)'],
  ['Checkmk: Sync Folder Pools', '', 'system/recount-seats {}'],
  ['Checkmk: Sync Site Pools', '', 'Checkmk (accounts of type cmkv2)'],
  ['VMware: Export Custom Attributes', 'vmware_vcenter', 'VMware vCenter (accounts of type vmware_vcenter)'],
  ['VMware: Inventorize Custom Attributes', 'vmware_vcenter', 'VMware vCenter (accounts of type vmware_vcenter)'],
  ['VMware: Inventorize VM Hardware', 'vmware_vcenter', 'VMware vCenter (accounts of type vmware_vcenter)'],
  ['ServiceNow: Import hosts', 'servicenow', 'imports/import-account {"account":"servicenow"}'],
  [
    'ServiceNow: Inventorize data',
    'servicenow',
    'imports/import-account {"account":"servicenow","part":"related","inventorize":true}',
  ],
  ['JDisc: Import Devices', 'jdisc', 'imports/import-account {"account":"jdisc"}'],
  ['JDisc: Import Applications', 'jdisc', 'imports/import-account {"account":"jdisc","part":"applications"}'],
  ['JDisc: Import Executables', 'jdisc', 'imports/import-account {"account":"jdisc","part":"executables"}'],
  ['JDisc: Inventorize Devices', 'jdisc', 'imports/import-account {"account":"jdisc","inventorize":true}'],
  [
    'JDisc: Inventorize Applications',
    'jdisc',
    'imports/import-account {"account":"jdisc","part":"applications","inventorize":true}',
  ],
  [
    'JDisc: Inventorize Executables',
    'jdisc',
    'imports/import-account {"account":"jdisc","part":"executables","inventorize":true}',
  ],
  ['Jira Cloud: Import Hosts', 'jira_cloud', 'imports/import-account {"account":"jira_cloud"}'],
  ['Jira Cloud: Export Objects', 'jira_cloud', 'exports/export-account {"account":"jira_cloud"}'],
  ['Jira Cloud: Sync Schema', 'jira_cloud', 'accounts/test-account {"name":"jira_cloud"}'],
  ['Jira OnPrem: Import  Hosts', 'jira', 'Jira (accounts of type jira)'],
  ['i-doit: Import hosts', 'i-doit', 'imports/import-account {"account":"i-doit"}'],
  ['i-doit: Export hosts', 'i-doit', 'exports/export-account {"account":"i-doit"}'],
  ['PRTG Monitoring: Import Objects', 'prtg', 'imports/import-account {"account":"prtg"}'],
  ['PRTG Monitoring: Inventorize Objects', 'prtg', 'imports/import-account {"account":"prtg","inventorize":true}'],
  ['BMC Remedy: Get Hosts', 'bmc_remedy', 'BMC Remedy (accounts of type bmc_remedy)'],
  ['Cisco DNA: Get Devices', 'cisco_dna', 'imports/import-account {"account":"cisco_dna"}'],
  [
    'Cisco DNA: Get Interfaces',
    'cisco_dna',
    'imports/import-account {"account":"cisco_dna","part":"interfaces","inventorize":true}',
  ],
  ['EDA: Send Events', 'eda', 'Event-Driven Ansible (accounts of type eda)'],
  ['Ansible: Build Cache', '', 'nothing to do: inventories are made of what is stored at that moment'],
  ['Ansible: Fire Playbook Rules', '', 'playbooks/fire-playbooks {}'],
  ['Syncer: Autocreate Rules', '', 'rules/run-autorules {}'],
  ['Syncer: Maintenence', 'maintenance', 'system/run-maintenance {"account":"maintenance"}'],
  ['Syncer: Mark Stale Hosts', 'csv', 'hosts/mark-stale {"account":"csv"}'],
];

let harness: EngineHarness;
let calls: string[];

beforeEach(async () => {
  harness = await EngineHarness.create();
  registerBuiltins(harness.plugins);
  for (const type of new Set(EXPECTED.map(([, account]) => account).filter((account) => account !== ''))) {
    await harness.put('accounts', type, { type });
  }
  calls = [];
  harness.callOperation = async (name, input) => {
    // What a job asks about its account before it does its work.
    if (name === 'accounts/show-account') return { type: input.name ?? '' };
    calls.push(`${name} ${JSON.stringify(input)}`);
    return {};
  };
});

const job = (command: string, account = ''): JsonObject => ({ command, ...(account === '' ? {} : { account }) });

async function reportOf(...list: readonly JsonObject[]) {
  await harness.group('old', [], { jobs: [...list] });
  const [report] = await harness.engine().runDue();
  if (report === undefined) throw new Error('the group was not due');
  return report;
}

describe('the jobs of existing installations', () => {
  it('are brought by plugins, each once and letter by letter', () => {
    expect(BUILTIN_JOB_NAMES.map(({ name }) => name).sort()).toEqual(EXPECTED.map(([name]) => name).sort());
    expect(BUILTIN_JOB_NAMES).toHaveLength(76);
  });

  it.each(EXPECTED)('%s', async (name, account, does) => {
    const report = await reportOf(job(name, account));
    const sentence = report.jobs[0]?.message ?? '';
    if (/^[a-z]+\/[a-z-]+ /.test(does)) {
      expect(report.state).toBe('done');
      expect(calls).toEqual([does]);
    } else {
      expect(calls).toEqual([]);
      expect(sentence).toContain(does);
      expect(sentence).not.toMatch(/\. |\n/);
    }
    const missing = missingJob(harness.plugins, name);
    expect(report.state).toBe(missing === undefined ? 'done' : 'failed');
    if (missing !== undefined) {
      expect(sentence).toBe(missing);
      expect(sentence).toMatch(
        /^.+ (needs a connector for .+, which this version does not have; a plugin can provide one|is not among what .+), and until then/,
      );
      expect(sentence.startsWith(`${name} `)).toBe(true);
    }
  });

  it('mean the same in any case, and with one blank of two they are another name', async () => {
    expect((await reportOf(job('csv: IMPORT hosts', 'csv'))).state).toBe('done');
    expect(missingJob(harness.plugins, 'Jira OnPrem: Import  Hosts')).toContain('Jira');
  });

  it('that nothing here does leave the jobs after them to run, and the group fails and names them', async () => {
    const report = await reportOf(
      job('Checkmk: Export Rules', 'cmkv2'),
      job('Nobody: Knows'),
      job('CSV: Import Hosts', 'csv'),
    );
    expect(calls).toEqual(['imports/import-account {"account":"csv"}']);
    expect(report.state).toBe('failed');
    expect(report.message).toContain('Checkmk: Export Rules needs a connector');
    expect(report.message).toContain('"Nobody: Knows" is not a registered job');
    expect(report.message).not.toContain('not run');
  });

  it('that ran and failed stop the rest as before, unless the group goes on', async () => {
    harness.callOperation = async (name) => {
      calls.push(name);
      return { status: 'failed', message: 'the file is gone' };
    };
    const report = await reportOf(job('CSV: Import Hosts', 'csv'), job('Syncer: Autocreate Rules'));
    expect(calls).toEqual(['imports/import-account']);
    expect(report.message).toBe('CSV: Import Hosts: the file is gone; 1 job after it not run');
  });

  it('touch no account of another type', async () => {
    const report = await reportOf(job('CSV: Import Hosts', 'json'), job('JSON FILE: Import Hosts'));
    expect(calls).toEqual([]);
    expect(report.jobs[0]?.message).toBe(
      'CSV: Import Hosts works with accounts of type csv, and json is of type json; name an account of its type',
    );
  });

  it('do without an account where they have something to go by', async () => {
    await reportOf(job('Syncer: Maintenence'), job('Syncer: Mark Stale Hosts'));
    expect(calls).toEqual(['system/run-maintenance {}', 'hosts/mark-stale {}']);
  });
});

describe('a plugin', () => {
  const source = { id: 'jira', title: '', description: '', options: undefined as never } as unknown as SourceType;
  const target = { id: 'cmkv2', title: '', description: '', options: undefined as never } as unknown as TargetType;

  it('that registers the account type makes its jobs possible, and no others of the system', async () => {
    harness.plugins.door('jira', logger, []).source(source);
    harness.plugins.door('checkmk', logger, []).target(target);
    const report = await reportOf(
      job('Checkmk: Activate Changes', 'cmkv2'),
      job('Jira OnPrem: Import  Hosts', 'jira'),
      job('Checkmk: Export Tags', 'cmkv2'),
      job('Checkmk: Export Hosts', 'cmkv2'),
    );
    expect(calls).toEqual(['imports/import-account {"account":"jira"}', 'exports/export-account {"account":"cmkv2"}']);
    expect(report.jobs[0]?.message).toMatch(
      /^Checkmk: Activate Changes is not among what the plugin for Checkmk brings; /,
    );
    expect(report.jobs[2]?.message).toMatch(/^Checkmk: Export Tags is not among what the plugin for Checkmk brings; /);
  });

  it('that registers a job of the name is what runs', async () => {
    const ran: (string | undefined)[] = [];
    const own = (id: string): JobType => ({
      id,
      aliases: [],
      description: '',
      account: 'required',
      async run({ account }) {
        ran.push(`${id} ${account}`);
        return { message: 'read' };
      },
    });
    const door = harness.plugins.door('checkmk', logger, []);
    door.job(own('Checkmk: Export Tags'));
    door.job(own('CSV: Import Hosts'));
    expect((await reportOf(job('Checkmk: Export Tags', 'cmkv2'), job('csv: import hosts', 'csv'))).state).toBe('done');
    expect(ran).toEqual(['Checkmk: Export Tags cmkv2', 'CSV: Import Hosts csv']);
    expect(calls).toEqual([]);
  });

  it('brings names of its own system, in any case, until it fails', async () => {
    const racks = { title: 'Racks', accountType: 'racks' };
    const door = harness.plugins.door('racks', logger, []);
    door.source({ ...source, id: 'racks' } as SourceType);
    door.jobName({ name: 'Racks: Get Hosts', job: 'Import', system: racks, logsAs: ['racks_import'] });
    door.jobName({ name: 'Racks: Write', job: 'Export', system: racks, logsAs: [] });
    door.jobName({ name: 'Racks: Wait', logsAs: [] });
    await harness.put('accounts', 'racks', { type: 'racks' });
    expect((await reportOf(job('racks: get hosts', 'racks'))).state).toBe('done');
    expect(calls).toEqual(['imports/import-account {"account":"racks"}']);
    expect(jobOf(harness.plugins, 'Racks: Get Hosts')?.logsAs).toEqual(['racks_import']);
    expect(missingJob(harness.plugins, 'Racks: Write')).toMatch(/^Racks: Write needs a connector for Racks /);
    expect(missingJob(harness.plugins, 'Racks: Wait')).toBe(
      'Racks: Wait waits for a plugin that registers a job of this name',
    );
    harness.plugins.settle({
      id: 'racks',
      origin: '',
      version: '',
      description: '',
      state: 'failed',
      message: 'gone',
      provides: [],
    });
    expect(missingJob(harness.plugins, 'Racks: Get Hosts')).toContain('is not a registered job');
  });

  it('brings no name that another one has', () => {
    const door = harness.plugins.door('thief', logger, []);
    expect(() => door.jobName({ name: 'csv: import HOSTS', job: 'Import', logsAs: [] })).toThrow(/by plugin csv/);
  });
});
