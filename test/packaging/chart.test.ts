import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

/** What the files say; `npm run packaging` renders the chart and holds it against the schemas of Kubernetes. */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const CHART = 'packaging/helm/muster';
const values = parse(read(`${CHART}/values.yaml`)) as Record<string, Record<string, unknown> & string>;
const helpers = read(`${CHART}/templates/_helpers.tpl`);

describe('the chart', () => {
  it('trusts no proxy unless somebody names one, and wants that with an ingress', () => {
    expect(values.trustedProxies).toBe('0');
    expect(helpers).toMatch(/if and \.Values\.ingress\.enabled[\s\S]*?fail "trustedProxies: /);
  });

  it('lets in no other pods than named ones', () => {
    expect(values.networkPolicy?.enabled).toBe(true);
    expect(read(`${CHART}/templates/network-policy.yaml`)).toContain('kind: NetworkPolicy');
  });

  it('takes configuration, plugins, certificates, ids and volumes', () => {
    for (const name of ['config', 'existingConfigSecret', 'tls', 'certificateAuthorities', 'podSecurityContext']) {
      expect(values).toHaveProperty(name);
      expect(helpers).toContain(`.Values.${name}`);
    }
    for (const name of ['extraVolumes', 'extraVolumeMounts', 'initContainers', 'topologySpreadConstraints']) {
      expect(values[name]).toEqual([]);
      expect(helpers).toContain(`.Values.${name}`);
    }
    expect(helpers).not.toMatch(/runAsUser: \d/);
    expect(helpers).not.toContain('emptyDir: {}');
    expect(values.resources?.limits).toHaveProperty('ephemeral-storage');
  });
});

describe('compose', () => {
  const severalNodes = ['packaging/compose/postgresql.yaml', 'packaging/compose/replica-set.yaml'];

  it.each(['compose.yaml', ...severalNodes])('%s bounds memory and logs', (path) => {
    const file = read(path);
    for (const [, place] of file.matchAll(/^ +- (\/tmp\S*|\/var\/lib\/muster\S*)$/gm)) expect(place).toContain('size=');
    const services = (
      parse(file, { merge: true }) as { services: Record<string, { logging?: unknown; restart?: string }> }
    ).services;
    for (const [name, { logging, restart }] of Object.entries(services)) {
      if (restart === 'unless-stopped')
        expect([name, logging]).toEqual([name, expect.objectContaining({ driver: 'json-file' })]);
    }
  });

  it.each(severalNodes)('%s keeps files of several nodes on a volume of all', (path) => {
    expect(read(path)).toContain('muster:/var/lib/muster');
  });
});

describe('workflows', () => {
  it.each(readdirSync(new URL('../../.github/workflows', import.meta.url)))(
    '%s pins what it runs by commit',
    (name) => {
      const used = [...read(`.github/workflows/${name}`).matchAll(/uses: (.+)$/gm)].map(([, action]) => action);
      expect(used.length).toBeGreaterThan(0);
      expect(used.filter((action) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ''))).toEqual([]);
    },
  );

  it('publish without a token that somebody could take', () => {
    const release = read('.github/workflows/release.yml');
    expect(release).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
    expect(release).toContain('id-token: write');
  });
});
