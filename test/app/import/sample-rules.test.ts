import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PluginRegistry } from '../../../src/app/kernel/plugin-host/registry.ts';
import { documentProblems } from '../../../src/app/rules/engine/document-problems.ts';
import automationProjects from '../../../src/plugins/automation-projects/index.ts';
import { csvOptions } from '../../../src/plugins/csv/options.ts';
import { readCsv } from '../../../src/plugins/csv/read.ts';
import type { JsonObject } from '../../../src/ports/index.ts';
import { collect, readContext } from '../../kit/shared/temporary-file.ts';
import { sourceFiles } from '../../support/files.ts';
import { EVALUATED, hostRecord, program, type Rules, ruleTypesOf } from '../rules/support.ts';

const SAMPLE = new URL('../../../sample/', import.meta.url);

async function sampleRules(): Promise<Rules> {
  const bundle = JSON.parse(await readFile(new URL('rules.json', SAMPLE), 'utf8')) as { rules: Rules };
  return bundle.rules;
}

async function sampleHosts() {
  const options = csvOptions().parse({ path: new URL('wikimedia-nodes.csv', SAMPLE).pathname });
  const items = await collect(readCsv(options, sourceFiles, readContext()));
  return items.flatMap((item) =>
    item.kind === 'record' ? [hostRecord({ hostname: item.hostname, labels: item.labels as JsonObject })] : [],
  );
}

describe('the rules of the sample', () => {
  it('are valid, with ids of their own', async () => {
    const types = [...EVALUATED, ...ruleTypesOf([automationProjects])];
    const ids = new Set<string>();
    for (const [id, documents] of Object.entries(await sampleRules())) {
      const type = types.find((candidate) => candidate.id === id);
      if (type === undefined) throw new Error(`no type ${id}`);
      for (const document of documents) {
        expect(documentProblems(document, type, new PluginRegistry()), String(document.name)).toEqual([]);
        ids.add(JSON.stringify(document._id));
      }
    }
    expect(ids.size).toBe(18);
    for (const id of ids) expect(id).toMatch(/^\{"\$oid":"[0-9a-f]{24}"\}$/);
  });

  it('give every host what playbooks need, without a failure', async () => {
    const rules = program(await sampleRules());
    const hosts = (await sampleHosts()).map((host) => rules.evaluate(host));
    expect(hosts).toHaveLength(964);
    expect(hosts.every(({ included, groups }) => included && groups.length === 3)).toBe(true);
    expect(rules.errors()).toEqual([]);
    const node = hosts.find(({ hostname }) => hostname === 'aux-k8s-worker1002.eqiad.wmnet');
    expect(node?.groups).toEqual(['site_eqiad', 'cluster_aux_k8s', 'tier_core']);
    expect(node?.variables.value).toEqual({
      ansible_groups: 'site_eqiad,cluster_aux_k8s,tier_core',
      ansible_host: 'aux-k8s-worker1002.eqiad.wmnet',
      ansible_user: 'deploy',
      deploy_wave: 'fleet',
      domain: 'eqiad.wmnet',
      is_kubernetes: true,
      main_service: 'kubesvc',
      maintenance_window: 'Tue 14:00-16:00 UTC',
      role: 'aux_k8s',
      services: 'kubesvc',
      short_name: 'aux-k8s-worker1002',
      site: 'eqiad',
      tier: 'core',
    });
    const names = new Set(hosts.flatMap(({ groups }) => groups));
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(hosts.filter(({ variables }) => variables.value.deploy_wave === 'canary')).toHaveLength(4);
  });

  it('give the project databases an inventory of its own', async () => {
    const project = { id: '0'.repeat(24), name: 'databases' };
    const rules = program(await sampleRules(), { project });
    const hosts = (await sampleHosts()).map((host) => rules.evaluate(host)).filter(({ included }) => included);
    expect(rules.errors()).toEqual([]);
    expect(hosts).toHaveLength(43);
    expect(new Set(hosts.map(({ variables }) => variables.value.db_engine))).toEqual(
      new Set(['mariadb', 'cassandra', 'druid']),
    );
    const replica = hosts.find(({ hostname }) => hostname.startsWith('clouddb'));
    expect(replica?.groups).toContain('databases');
  });
});
