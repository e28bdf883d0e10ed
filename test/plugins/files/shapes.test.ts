import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { textTemplates } from '../../../src/app/exports/text-templates.ts';
import { viewOf } from '../../../src/plugins/files/host-view.ts';
import { makeShape } from '../../../src/plugins/files/make-shape.ts';
import { filesOptions } from '../../../src/plugins/files/options.ts';
import { nextSerial } from '../../../src/plugins/files/zone-serial.ts';
import type { JsonObject, TargetGroup, TargetHost } from '../../../src/ports/index.ts';
import { temporaryFolder } from '../../kit/shared/temporary-file.ts';
import { host, write } from './support.ts';

/** What one file holds after a run, and which hosts were not taken. */
async function made(
  options: Readonly<Record<string, unknown>>,
  hosts: readonly TargetHost[],
): Promise<{ text: string; failed: Readonly<Record<string, string>> }> {
  const path = join(await temporaryFolder(), 'file');
  const { failed } = await write({ path, ...options }, [hosts], { today: () => new Date('2026-05-04T12:00:00Z') });
  return { text: await readFile(path, 'utf8'), failed };
}

const WEB = host(
  'web01.example.org',
  { site: 'berlin', ip: '192.0.2.1/24', tags: ['a', 'b'], deep: { er: 1 }, nothing: null },
  { groups: ['web', 'eu-west'] },
);

describe('csv', () => {
  it('has a line of names and one for each host', async () => {
    const fields = 'name=HOSTNAME,site,tags,deep.er,deep,nothing,absent,groups';
    const { text } = await made({ shape: 'csv', fields }, [WEB, host('a;b', { site: ' "x",\ny' })]);
    expect(text).toBe(
      'name,site,tags,deep.er,deep,nothing,absent,groups\n' +
        'web01.example.org,berlin,"a,b",1,"{""er"":1}",,,"web,eu-west"\n' +
        'a;b," ""x"",\ny",,,,,,\n',
    );
    expect((await made({ shape: 'csv', fields: 'HOSTNAME,site', separator: ';' }, [host('a;b')])).text).toBe(
      'HOSTNAME;site\n"a;b";\n',
    );
    expect((await made({ shape: 'csv', address_field: 'ip' }, [])).text).toBe('hostname,groups,ip\n');
  });
});

describe('json, yaml and tfvars', () => {
  it('hold everything, or the named fields', async () => {
    const all = { hostname: 'web01.example.org', variables: WEB.variables.value, groups: WEB.groups };
    const named = { hostname: 'web01.example.org', place: 'berlin', 'deep.er': 1, absent: null };
    const fields = 'place=site,deep.er,absent';
    for (const [shape, parse] of [
      ['json', (text: string) => JSON.parse(text)],
      ['yaml', (text: string) => parseYaml(text)],
    ] as const) {
      expect(parse((await made({ shape }, [WEB, WEB])).text)).toEqual([all, all]);
      expect(parse((await made({ shape, fields }, [WEB])).text)).toEqual([named]);
      expect((await made({ shape }, [])).text).toBe('[]\n');
    }
    const { hostname: _, ...without } = named;
    const variables = JSON.parse((await made({ shape: 'tfvars', fields, variable: 'machines' }, [WEB])).text);
    expect(variables).toEqual({ machines: { 'web01.example.org': without } });
    expect(JSON.parse((await made({ shape: 'tfvars' }, [])).text)).toEqual({ hosts: {} });
  });
});

describe('file_sd', () => {
  it('has a target with labels for each host', async () => {
    const fields = 'site,rack-no=nothing,__meta_muster_tags=tags,__name__=site';
    const options = { shape: 'file_sd', fields, address_field: 'ip', port: 9100 };
    const { text, failed } = await made(options, [
      WEB,
      host('v6', { ip: '2001:db8::1' }),
      host('named', { site: 'paris' }),
      host('not a name'),
      host('wrong', { ip: '300.1.1.1' }),
    ]);
    expect(JSON.parse(text)).toEqual([
      {
        targets: ['192.0.2.1:9100'],
        labels: {
          __meta_muster_hostname: 'web01.example.org',
          __meta_muster_groups: ',web,eu-west,',
          site: 'berlin',
          __meta_muster_tags: 'a,b',
          _name__: 'berlin',
        },
      },
      { targets: ['[2001:db8::1]:9100'], labels: { __meta_muster_hostname: 'v6' } },
      { targets: ['named:9100'], labels: { __meta_muster_hostname: 'named', site: 'paris', _name__: 'paris' } },
    ]);
    expect(Object.keys(failed)).toEqual(['not a name', 'wrong']);
    const own = await made({ shape: 'file_sd', port_field: 'p' }, [host('a', { p: 80 }), host('b', { p: 'x' })]);
    expect(JSON.parse(own.text)[0].targets).toEqual(['a:80']);
    expect(own.failed).toEqual({ b: 'p is "x", which is not a port' });
  });
});

describe('hosts', () => {
  it('has a line for each address, and refuses what is none', async () => {
    const options = { shape: 'hosts', address_field: 'ip', short_names: true };
    const { text, failed } = await made(options, [
      WEB,
      host('two', { ip: ['192.0.2.2', '2001:db8::2'] }),
      host('none'),
      host('a b', { ip: '192.0.2.3' }),
      host('x\n192.0.2.9 bank', { ip: '192.0.2.3' }),
      host('line', { ip: '192.0.2.3 bank' }),
      host('zone', { ip: 'fe80::1%eth0' }),
    ]);
    expect(text).toBe('192.0.2.1\tweb01.example.org web01\n192.0.2.2\ttwo\n2001:db8::2\ttwo\n');
    expect(Object.keys(failed)).toEqual(['none', 'a b', 'x\n192.0.2.9 bank', 'line', 'zone']);
    expect(failed.none).toBe('it has no address in ip');
  });
});

describe('ssh_config', () => {
  const options = {
    shape: 'ssh_config',
    address_field: 'ip',
    user_field: 'user',
    port_field: 'port',
    identity_field: 'key',
    proxy_field: 'jump',
  };

  it('has a block for each host', async () => {
    const { text } = await made({ ...options, port: 2222 }, [
      { ...WEB },
      host('a', { user: 'root', port: 22, key: '~/my keys/100%', jump: 'me@gate:22' }),
    ]);
    expect(text).toBe(
      'Host web01.example.org\n    HostName 192.0.2.1\n    Port 2222\n\n' +
        'Host a\n    User root\n    Port 22\n    IdentityFile "~/my keys/100%%"\n    ProxyJump me@gate:22\n',
    );
  });

  it('writes nothing that ssh takes for more than one word', async () => {
    const bad: readonly JsonObject[] = [
      { user: 'x\n    ProxyCommand rm' },
      { user: '-oProxyCommand=rm' },
      { user: '$(rm)' },
      { key: '$\u007bHOME}/x' },
      { key: '"' },
      { key: '-i' },
      { jump: 'a;b' },
      { jump: '-oX' },
      { port: '22 x' },
      { port: 70000 },
      { ip: 'a.b' },
    ];
    const { text, failed } = await made(options, [
      ...bad.map((variables, at) => host(`h${at}`, variables)),
      host('*', {}),
      host('!a', {}),
      host('a b', {}),
      host('-x', {}),
      host('fine'),
    ]);
    expect(text).toBe('Host fine\n');
    expect(Object.keys(failed)).toHaveLength(bad.length + 4);
  });
});

const KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAIHl8s6S4mYxFPGBNEJVz6lBx0HTkTNVZx0EYeFoGZ7Hq';

describe('known_hosts', () => {
  it('has a line for each key', async () => {
    const options = { shape: 'known_hosts', key_field: 'keys', address_field: 'ip', port_field: 'port' };
    const { text, failed } = await made(options, [
      host('a', { keys: [`ssh-ed25519 ${KEY} root@a`, KEY], ip: '192.0.2.1' }),
      host('b', { keys: KEY, port: 2222, ip: '2001:db8::1' }),
      host('none'),
      host('wrong', { keys: 'ssh-ed25519 AAAA' }),
      host('lies', { keys: `ssh-rsa ${KEY}` }),
      host('@cert-authority', { keys: KEY }),
    ]);
    expect(text).toBe(
      `a,192.0.2.1 ssh-ed25519 ${KEY}\na,192.0.2.1 ssh-ed25519 ${KEY}\n` +
        `[b]:2222,[2001:db8::1]:2222 ssh-ed25519 ${KEY}\n`,
    );
    expect(failed).toMatchObject({
      none: 'it has no key in keys',
      wrong: expect.stringMatching(/not a public SSH key/),
      lies: expect.stringMatching(/says "ssh-rsa" of a key that is ssh-ed25519/),
      '@cert-authority': expect.stringMatching(/^its name cannot be used in known_hosts/),
    });
  });
});

describe('dns_zone', () => {
  const options = {
    shape: 'dns_zone',
    origin: 'example.org',
    ns: 'ns1.example.net,ns2.example.net',
    hostmaster: 'host.master@example.org',
    address_field: 'ip',
    txt_field: 'note',
    ttl: 600,
  };

  it('has records of hosts in the zone', async () => {
    const { text, failed } = await made(options, [
      WEB,
      host('Short', { ip: ['192.0.2.2', '2001:db8::2'], note: 'say "a\\b"; ü\n' }),
      host('example.org', { ip: '192.0.2.3' }),
      host('web.example.com', { ip: '192.0.2.4' }),
      host('a_b', { ip: '192.0.2.4' }),
      host('x\n@ IN NS evil', { ip: '192.0.2.4' }),
      host('$include', { ip: '192.0.2.4' }),
      host('none'),
    ]);
    expect(text).toBe(
      `$ORIGIN example.org.
$TTL 600
@ IN SOA ns1.example.net. host\\.master.example.org. ( 2026050401 7200 3600 1209600 600 )
@ IN NS ns1.example.net.
@ IN NS ns2.example.net.
web01 IN A 192.0.2.1
@ IN A 192.0.2.3
short IN A 192.0.2.2
short IN AAAA 2001:db8::2
short IN TXT "say \\034a\\092b\\034; \\195\\188\\010"
`,
    );
    expect(Object.keys(failed)).toEqual(['web.example.com', 'a_b', 'x\n@ IN NS evil', '$include', 'none']);
  });

  it('has pointers in reverse zones', async () => {
    const reverse = (origin: string, ip: string) =>
      made({ ...options, origin }, [
        host('web.example.org', { ip }),
        host('other.example.org', { ip: '198.51.100.1' }),
      ]);
    const v4 = await reverse('2.0.192.in-addr.arpa', '192.0.2.7');
    expect(v4.text).toMatch(/\n7 IN PTR web\.example\.org\.\n$/);
    expect(v4.failed).toEqual({ 'other.example.org': 'none of its addresses is in the zone 2.0.192.in-addr.arpa' });
    const v6 = await reverse('8.b.d.0.1.0.0.2.ip6.arpa', '2001:db8::ff:192.0.2.1');
    expect(v6.text).toMatch(/\n1\.0\.2\.0\.0\.0\.0\.c\.f\.f\.0\.0\.0\.0\.0\.0\.0\.0\.0\.0\.0\.0\.0\.0 IN PTR web/);
  });

  it('moves its number when the rest changes, and then only', async () => {
    const path = join(await temporaryFolder(), 'zone');
    const serial = async () => Number(/\( (\d+)/.exec(await readFile(path, 'utf8'))?.[1]);
    const run = async (ip: string, day: string, more = {}) => {
      await write({ ...options, path, ...more }, [[host('a', { ip })]], { today: () => new Date(day) });
      return await serial();
    };
    expect(await run('192.0.2.1', '2026-05-04')).toBe(2026050401);
    expect(await run('192.0.2.1', '2026-05-05')).toBe(2026050401);
    expect(await run('192.0.2.2', '2026-05-05')).toBe(2026050501);
    expect(await run('192.0.2.3', '2026-05-05')).toBe(2026050502);
    expect(await run('192.0.2.3', '2026-05-05', { ttl: 5 })).toBe(2026050503);
    expect(await run('192.0.2.4', '2026-05-01')).toBe(2026050504);
    expect(nextSerial(4_294_967_295, new Date('2026-05-05'))).toBe(1);
  });
});

describe('ansible', () => {
  const hosts = [
    host(
      'a',
      {
        os: 'debian',
        says: '{{ lookup("pipe", "id") }}',
        'k{{ x }}': [{ v: '{% raw %}' }],
        ansible_connection: 'local',
      },
      { groups: ['web', 'eu-west', 'all'] },
    ),
    host(
      'b',
      { ansible_host: 'b.example.org', ansible_port: '22', ansible_user: 'root' },
      { expressions: { home: '{{ x }}' }, groups: ['web'] },
    ),
    host('localhost'),
    host('c', { ansible_host: '-oProxyCommand=id' }),
    host('d', { ansible_user: '-x' }),
    host('a[1:9]'),
  ];

  it('makes one file whose texts are not evaluated', async () => {
    const { text, failed } = await made({ shape: 'ansible' }, hosts);
    expect(text).toBe(`all:
  hosts:
    "a":
      "os": "debian"
      "says": !unsafe "{{ lookup(\\"pipe\\", \\"id\\") }}"
      "k___x___":
        - "v": !unsafe "{% raw %}"
    "b":
      "ansible_host": "b.example.org"
      "ansible_port": 22
      "ansible_user": "root"
      "home": "{{ x }}"
  children:
    "eu_west":
      hosts:
        "a":
    "web":
      hosts:
        "a":
        "b":
`);
    expect(Object.keys(failed)).toEqual(['localhost', 'c', 'd', 'a[1:9]']);
    const local = await made(
      { shape: 'ansible', connection_variables: 'ansible_connection', fields: 'ansible_connection' },
      hosts.slice(0, 1),
    );
    expect(local.text).toContain('"ansible_connection": "local"');
    expect((await made({ shape: 'ansible' }, [])).text).toBe('all:\n  hosts: {}\n');
  });

  it('makes a tree', async () => {
    const folder = await temporaryFolder();
    await write({ shape: 'ansible', layout: 'tree', path: folder, fields: 'os', address_field: 'ip' }, [
      [host('a', { os: 'debian', ip: '192.0.2.1' }, { groups: ['web'] })],
    ]);
    expect(await readFile(join(folder, 'hosts.yml'), 'utf8')).toBe(
      'all:\n  hosts:\n    "a": {}\n  children:\n    "web":\n      hosts:\n        "a":\n',
    );
    expect(await readFile(join(folder, 'host_vars/a.yml'), 'utf8')).toBe(
      '"os": "debian"\n"ansible_host": "192.0.2.1"\n',
    );
    const many = await temporaryFolder();
    await write({ shape: 'ansible', layout: 'tree', path: `${many}/{{ site }}` }, [
      [host('a', { site: 'x' }, { groups: ['g'] }), host('b', { site: 'y' }, { groups: ['h'] })],
    ]);
    expect(await readFile(join(many, 'y/hosts.yml'), 'utf8')).toMatch(/"h":/);
    expect(await readdir(join(many, 'x'))).toEqual(['host_vars', 'hosts.yml']);
  });
});

describe('groups of an inventory of Ansible', () => {
  const group = (name: string, more: Partial<TargetGroup> = {}): TargetGroup => {
    return { name, isTop: true, children: [], variables: {}, expressions: {}, vouched: [], ...more };
  };
  const GROUPS = [
    group('all', { isTop: false, variables: { dns: ['192.0.2.53'] } }),
    group('a', {
      variables: { 'k{{': 'x {{ y }}', ansible_connection: 'local', ansible_port: 22 },
      vouched: ['ansible_port'],
    }),
    group('empty'),
    group('europe', { children: ['web'], expressions: { motd: 'Hello {{ site }}', ansible_group_priority: 7 } }),
    group('prod', { children: ['web'] }),
    group('web', { isTop: false }),
  ];
  const HOSTS = [host('a', {}, { groups: ['web'] })];

  it('have parents, variables, and stand there without hosts', async () => {
    const path = join(await temporaryFolder(), 'file');
    await write({ path, shape: 'ansible' }, [HOSTS], { groups: GROUPS.filter(({ name }) => name !== 'a') });
    expect(await readFile(path, 'utf8')).toBe(`all:
  hosts:
    "a": {}
  vars:
    "dns":
      - "192.0.2.53"
  children:
    "empty": {}
    "europe":
      children:
        "web":
          hosts:
            "a":
      vars:
        "ansible_group_priority": 7
        "motd": "Hello {{ site }}"
    "prod":
      children:
        "web": {}
`);
  });

  it('have files of their own in a tree, but for what is not read from there', async () => {
    const folder = await temporaryFolder();
    const hosts = [host('b', {}, { groups: ['web'] })];
    await write({ path: folder, shape: 'ansible', layout: 'tree' }, [hosts], { groups: GROUPS });
    expect(await readdir(join(folder, 'group_vars'))).toEqual(['a.yml', 'all.yml', 'europe.yml']);
    expect(await readFile(join(folder, 'group_vars/a.yml'), 'utf8')).toBe(
      '"k__": !unsafe "x {{ y }}"\n"ansible_port": 22\n',
    );
    const tree = parseYaml(await readFile(join(folder, 'hosts.yml'), 'utf8'));
    expect(tree.all.children.europe.vars).toEqual({ ansible_group_priority: 7 });
    await write({ path: folder, shape: 'ansible', layout: 'tree' }, [hosts]);
    expect(await readdir(folder)).toEqual(['.muster-out.manifest', 'group_vars', 'hosts.yml']);
    expect(await readdir(join(folder, 'group_vars'))).toEqual([]);
  });

  it('are not there under the name of a host, and under names that a file cannot have', async () => {
    const path = join(await temporaryFolder(), 'file');
    await write({ path, shape: 'ansible' }, [HOSTS], { groups: GROUPS });
    expect(parseYaml(await readFile(path, 'utf8')).all.children).not.toHaveProperty('a');
    const odd = [host('h', {}, { groups: ['eu-west'] }), host('i', {}, { groups: ['../x'] })];
    const { failed } = await write({ path, shape: 'ansible', group_names: 'kept' }, [odd]);
    expect(parseYaml(await readFile(path, 'utf8')).all.children).toEqual({ 'eu-west': { hosts: { h: null } } });
    expect(failed).toEqual({ i: 'its group "../x" cannot be named in an inventory of Ansible' });
  });
});

describe('template', () => {
  it('renders each host between header and footer, with blanks as they stand', async () => {
    const options = {
      shape: 'template',
      header: '# begin\n',
      template: '  {{ HOSTNAME }} {{ site }}{% for g in groups %} [{{ g }}]{% endfor %} {{ deep.er }} ',
      footer: 'end',
    };
    const { text, failed } = await made(options, [WEB, host('without')]);
    expect(text).toBe('# begin\n  web01.example.org berlin [web] [eu-west] 1 \nend\n');
    expect(failed.without).toMatch(/^template: .*'site' is undefined/);
  });

  it('evaluates no text of data, and keeps it one value', async () => {
    const evil = { v: '{{ HOSTNAME }}\nnext <a>"\'&' };
    const of = async (how: string) =>
      (await made({ shape: 'template', template: '{{ v }}', escape: how }, [host('a', evil)])).text;
    expect(await of('lines')).toBe('{{ HOSTNAME }} next <a>"\'&\n');
    expect(await of('json')).toBe('{{ HOSTNAME }}\\nnext <a>\\"\'&\n');
    expect(await of('xml')).toBe('{{ HOSTNAME }}&#10;next &#60;a&#62;&#34;&#39;&#38;\n');
    expect(await of('shell')).toBe("'{{ HOSTNAME }}\nnext <a>\"'\\''&'\n");
    expect(await of('none')).toBe('{{ HOSTNAME }}\nnext <a>"\'&\n');
  });
});

describe('any data', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '"',
        "'",
        '\\',
        '\n',
        '\r',
        '{',
        '%',
        '}',
        ',',
        ';',
        ' ',
        '#',
        ':',
        '-',
        '\u2028',
        'a',
        '\u0085',
        '\t',
      ),
    }),
    fc.constantFrom(
      'yes',
      'on',
      '~',
      '1e3',
      '12:30:00',
      '0x1f',
      '=',
      '<<',
      '2026-05-04',
      '!unsafe x',
      '- a',
      '__proto__',
    ),
  );
  const values = fc.record({
    hostname: anyText,
    variables: fc.dictionary(fc.oneof(anyText, fc.constant('v')), fc.oneof(anyText, fc.jsonValue())),
    groups: fc.array(anyText, { maxLength: 3 }),
  });

  function oneText(
    options: object,
    { hostname, variables, groups }: { hostname: string; variables: object; groups: string[] },
  ): string {
    const shape = makeShape(filesOptions().parse({ path: 'x', ...options }), textTemplates);
    const text = shape.host(viewOf(host(hostname, variables as JsonObject, { groups })), 'x');
    return `${shape.open ?? ''}${text}${shape.close ?? ''}`;
  }

  it('comes back from json, yaml and csv as it was', () => {
    fc.assert(
      fc.property(values, (given) => {
        // As stores give it, without the negative zero that JSON does not write.
        const plain = JSON.parse(JSON.stringify(given));
        expect(JSON.parse(oneText({ shape: 'json' }, plain))).toEqual([plain]);
        expect(parseYaml(oneText({ shape: 'yaml' }, plain))).toEqual([plain]);
        const [, row] = parseCsv(oneText({ shape: 'csv', fields: 'HOSTNAME,v' }, given), {
          record_delimiter: '\n',
        }) as string[][];
        expect(row?.[0]).toBe(given.hostname);
      }),
      { numRuns: 300 },
    );
  });

  it('never adds a line to formats of lines', () => {
    const line = {
      hosts: { ip: '192.0.2.1' },
      ssh_config: {},
      known_hosts: { key: KEY },
      dns_zone: { ip: '192.0.2.1' },
    };
    const options = {
      address_field: 'ip',
      key_field: 'key',
      user_field: 'v',
      identity_field: 'v',
      origin: 'example.org',
      ns: 'a.b',
      hostmaster: 'c@d',
      txt_field: 'v',
    };
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constant('a')), anyText, (hostname, v) => {
        for (const [shape, variables] of Object.entries(line)) {
          try {
            const text = oneText({ ...options, shape }, { hostname, variables: { v, ...variables }, groups: [] });
            const most = shape === 'ssh_config' ? 3 : shape === 'dns_zone' ? 2 : 1;
            expect(text.split(/[\n\r\u2028\u0085]/).length - 1).toBeLessThanOrEqual(most);
          } catch (error) {
            expect(error).toHaveProperty('name', 'HostFault');
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
