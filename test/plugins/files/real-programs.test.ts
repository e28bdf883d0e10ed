import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { publishedFiles } from '../../../src/app/exports/published-files.ts';
import { textTemplates } from '../../../src/app/exports/text-templates.ts';
import { filesOptions } from '../../../src/plugins/files/options.ts';
import { publishingTarget } from '../../../src/plugins/files/publishing-target.ts';
import type { Target, TargetHost } from '../../../src/ports/index.ts';
import { usedGroups } from '../../../src/testing/used-groups.ts';
import { PASSWORD, startHttpService } from '../../adapters/http/http-service.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { programPath, whyNot } from '../../servers/install.ts';
import { endProcess, freePort, runProgram, startProgram, until } from '../../servers/processes.ts';
import { pythonEnvironment, pythonProgram } from '../../support/python-environment.ts';
import { host, write } from './support.ts';

interface Row {
  readonly host: string;
  readonly site: string;
  readonly cluster: string;
  readonly services: string;
}

/** The hosts of the sample, with an address each, and texts that mean something to each of the programs. */
const rows: readonly Row[] = parse(await readFile('sample/wikimedia-nodes.csv', 'utf8'), { columns: true });
const HOSTS: readonly TargetHost[] = rows.map(({ host: name, site, cluster, services }, at) =>
  host(
    name,
    {
      site,
      cluster,
      services,
      ip: `10.${site === 'codfw' ? 1 : 2}.${Math.floor(at / 250)}.${(at % 250) + 1}`,
      user: 'root',
      says: `{{ lookup("pipe", "false") }} "${site}" $HOME %h ; \\`,
    },
    { groups: [site, `cluster_${cluster}`] },
  ),
);
const NAMES = HOSTS.map(({ hostname }) => hostname);

/** Tests with programs of others. Where they cannot be had, the title says why. */
async function describePrograms(
  programs: readonly string[],
  packages: readonly string[],
  suite: () => void,
): Promise<void> {
  const reason = await whyNot({ programs, packages });
  const title = reason === undefined ? programs.join(', ') : `${programs.join(', ')}: not run, because ${reason}`;
  describe.skipIf(reason !== undefined)(title, suite);
}

const program = (name: string): string => programPath(name) ?? name;

async function made(options: Readonly<Record<string, unknown>>, name: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await write({ path, ...options }, [HOSTS]);
  return path;
}

it('has the hosts of the sample', () => {
  expect(HOSTS).toHaveLength(964);
});

await describePrograms(['ssh'], ['openssh-client'], () => {
  it('reads every host of ssh_config', { timeout: 120_000 }, async () => {
    const options = { shape: 'ssh_config', address_field: 'ip', user_field: 'user', port: 2222 };
    const path = await made(options, 'config');
    for (const { hostname, variables } of HOSTS.filter((_, at) => at % 20 === 0)) {
      const told = await runProgram(program('ssh'), ['-G', '-F', path, hostname]);
      expect(told.split('\n')).toEqual(
        expect.arrayContaining([`hostname ${variables.value.ip}`, 'user root', 'port 2222']),
      );
    }
  });
});

await describePrograms(['ssh-keygen'], ['openssh-client'], () => {
  it('finds hosts in known_hosts', async () => {
    const folder = await temporaryFolder();
    await runProgram(program('ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'key')]);
    const key = await readFile(join(folder, 'key.pub'), 'utf8');
    const path = join(folder, 'known_hosts');
    const hosts = HOSTS.map((one) => host(one.hostname, { ...one.variables.value, key }));
    await write({ path, shape: 'known_hosts', key_field: 'key', address_field: 'ip' }, [hosts]);
    for (const name of [NAMES[0] ?? '', NAMES.at(-1) ?? '', '10.1.0.1']) {
      expect(await runProgram(program('ssh-keygen'), ['-F', name, '-f', path])).toContain('ssh-ed25519');
    }
    expect((await runProgram(program('ssh-keygen'), ['-l', '-f', path])).trim().split('\n')).toHaveLength(964);
  });
});

await describePrograms(['named-checkzone'], ['bind9-utils'], () => {
  const options = {
    shape: 'dns_zone',
    ns: 'ns0.example.net',
    hostmaster: 'host.master@example.net',
    address_field: 'ip',
    txt_field: 'says',
  };
  const zone = (path: string, origin: string) =>
    runProgram(program('named-checkzone'), ['-i', 'local', '-D', origin, path]);

  it('takes the zone of all hosts', async () => {
    const origins = new Set(NAMES.map((name) => name.split('.').slice(-2).join('.')));
    let found = 0;
    for (const origin of origins) {
      const told = await zone(await made({ ...options, origin }, 'zone'), origin);
      found += told.split('\n').filter((line) => /\sA\s/.test(line)).length;
    }
    expect(found).toBe(964);
  });

  it('takes a reverse zone', async () => {
    const told = await zone(await made({ ...options, origin: '10.in-addr.arpa' }, 'zone'), '10.in-addr.arpa');
    expect(told.split('\n').filter((line) => /\sPTR\s/.test(line))).toHaveLength(964);
  });
});

await describePrograms(['dnsmasq'], ['dnsmasq-base'], () => {
  it('takes the hosts file', async () => {
    const path = await made({ shape: 'hosts', address_field: 'ip', short_names: true }, 'hosts');
    const config = `${path}.conf`;
    await writeFile(config, `no-resolv\nno-hosts\naddn-hosts=${path}\n`);
    await runProgram(program('dnsmasq'), ['--test', `--conf-file=${config}`]);
    expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(964);
  });
});

describe('ansible-inventory', () => {
  for (const layout of ['file', 'tree']) {
    it(`reads a ${layout}, and evaluates nothing`, { timeout: 120_000 }, async () => {
      const folder = join(await temporaryFolder(), 'inventory');
      await mkdir(folder);
      const path = layout === 'tree' ? folder : join(folder, 'hosts.yml');
      await write({ path, shape: 'ansible', layout, address_field: 'ip' }, [HOSTS]);
      const { stdout } = await promisify(execFile)(pythonProgram('ansible-inventory'), ['-i', path, '--list'], {
        env: pythonEnvironment(),
        maxBuffer: 64 * 1024 * 1024,
      });
      const inventory = JSON.parse(stdout);
      const { hostvars } = inventory._meta;
      expect(Object.keys(hostvars).sort()).toEqual([...NAMES].sort());
      const [first] = HOSTS;
      const { says, ip } = first?.variables.value ?? {};
      const told = hostvars[NAMES[0] ?? ''];
      expect(told).toMatchObject({ site: rows[0]?.site, ansible_host: ip });
      expect(told.says.__ansible_unsafe ?? told.says).toBe(says);
      const there = NAMES.filter((_, at) => rows[at]?.site === 'codfw');
      expect([...inventory.codfw.hosts].sort()).toEqual([...there].sort());
    });
  }
});

await describePrograms(['prometheus', 'promtool'], ['prometheus'], () => {
  it('scrapes exactly the hosts of file_sd', { timeout: 120_000 }, async () => {
    const options = { shape: 'file_sd', address_field: 'ip', port: 9100, fields: 'site,says' };
    const path = await made(options, 'targets.json');
    const folder = await temporaryFolder();
    const config = join(folder, 'prometheus.yml');
    await writeFile(
      config,
      JSON.stringify({
        global: { scrape_interval: '1h' },
        scrape_configs: [{ job_name: 'nodes', file_sd_configs: [{ files: [path] }] }],
      }),
    );
    await runProgram(program('promtool'), ['check', 'config', config]);
    await runProgram(program('promtool'), ['check', 'service-discovery', config, 'nodes']);
    const port = await freePort();
    const args = [
      `--config.file=${config}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const started = startProgram(program('prometheus'), args, { log: join(folder, 'log'), cwd: folder });
    try {
      let addresses: string[] = [];
      await until(async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/api/v1/targets?state=active`);
        const { data } = (await answer.json()) as { data: { activeTargets: { labels: Record<string, string> }[] } };
        addresses = data.activeTargets.map(({ labels }) => labels.instance ?? '');
        if (addresses.length === 0) throw new Error('there are no targets yet');
      }, started);
      expect(addresses.sort()).toEqual(HOSTS.map(({ variables }) => `${variables.value.ip}:9100`).sort());
    } finally {
      await endProcess(started);
    }
  });

  it('scrapes exactly the hosts that are published for http_sd', { timeout: 120_000 }, async () => {
    const service = await startHttpService({ config: { ALLOW_INSECURE_API_AUTH: true } });
    const folder = await temporaryFolder();
    try {
      await service.addAccount('prometheus');
      await service.addUser('reader', { api_roles: ['automation'], readonly: true });
      const account = await service.services.accounts.byName('prometheus');
      const published = publishedFiles(service.storage.published, account?.id ?? '', systemClock);
      const options = { shape: 'file_sd', address_field: 'ip', port: 9100, fields: 'site', path: 'targets.json' };
      const target = publishingTarget(
        filesOptions().parse({ ...options, publish: true }),
        { name: 'prometheus' },
        { published, templates: textTemplates },
      );
      await exported(target, HOSTS);
      const url = await service.app.listen({ port: 0, host: '127.0.0.1' });
      const config = join(folder, 'prometheus.yml');
      const discovery = {
        url: `${url}/api/v1/published/prometheus/targets.json`,
        refresh_interval: '1s',
        basic_auth: { username: 'reader', password: PASSWORD },
      };
      const scrape_configs = [{ job_name: 'nodes', http_sd_configs: [discovery] }];
      await writeFile(config, JSON.stringify({ global: { scrape_interval: '1h' }, scrape_configs }));
      await runProgram(program('promtool'), ['check', 'config', config]);
      const port = await freePort();
      const args = [
        `--config.file=${config}`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ];
      const started = startProgram(program('prometheus'), args, { log: join(folder, 'log'), cwd: folder });
      const scraped = async (count: number): Promise<string[]> => {
        let addresses: string[] = [];
        await until(async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/api/v1/targets?state=active`);
          const { data } = (await answer.json()) as { data: { activeTargets: { labels: Record<string, string> }[] } };
          addresses = data.activeTargets.map(({ labels }) => labels.instance ?? '');
          if (addresses.length !== count) throw new Error(`there are ${addresses.length} targets`);
        }, started);
        return addresses.sort();
      };
      const addresses = (hosts: readonly TargetHost[]) =>
        hosts.map(({ variables }) => `${variables.value.ip}:9100`).sort();
      try {
        expect(await scraped(HOSTS.length)).toEqual(addresses(HOSTS));
        const fewer = HOSTS.slice(0, 500);
        await exported(target, fewer);
        expect(await scraped(500)).toEqual(addresses(fewer));
      } finally {
        await endProcess(started);
      }
    } finally {
      await service.stop();
    }
  });
});

async function exported(target: Target, hosts: readonly TargetHost[]): Promise<void> {
  const nothing = (): void => undefined;
  const run = { dryRun: false, signal: new AbortController().signal };
  await target.write(batches(hosts), {
    ...run,
    written: nothing,
    unchanged: nothing,
    undecided: () => 0,
    groups: usedGroups,
    progress: nothing,
    failed: nothing,
  });
}

async function* batches(hosts: readonly TargetHost[]): AsyncGenerator<readonly TargetHost[]> {
  yield hosts;
}
