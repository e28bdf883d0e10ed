import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverCertificates } from './certificates.ts';
import { programPath } from './install.ts';
import { canConnect, freePort, runProgram, startProgram, until } from './processes.ts';
import type { Recipe } from './recipe.ts';

const BASE = 'dc=example,dc=test';
const SCHEMAS = ['core', 'cosine', 'inetorgperson', 'nis'];

export const slapd: Recipe = {
  name: 'slapd',
  about:
    'OpenLDAP with ldap:// (StartTLS) and ldaps://, 1,200 devices below ou=hosts, and people with groups; it gives 500 at a time',
  packages: ['slapd'],
  programs: ['slapd', 'slapadd'],
  async start(folder) {
    const { ca, server } = await serverCertificates(folder);
    const database = join(folder, 'database');
    await mkdir(database);
    const names = { 'server.pem': server.cert, 'server.key': server.key, 'seed.ldif': seed() };
    for (const [name, text] of Object.entries(names)) await writeFile(join(folder, name), text, { mode: 0o600 });
    const configuration = join(folder, 'slapd.conf');
    await writeFile(configuration, configurationOf(folder, ca, database));
    await runProgram(programPath('slapadd') ?? 'slapadd', ['-q', '-f', configuration, '-l', join(folder, 'seed.ldif')]);
    const [port, securePort] = [await freePort(), await freePort()];
    const started = startProgram(
      programPath('slapd') ?? 'slapd',
      ['-f', configuration, '-h', `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${securePort}/`, '-d', '0'],
      { log: join(folder, 'log'), cwd: folder },
    );
    await until(() => canConnect(securePort), started);
    return {
      facts: {
        address: `ldaps://127.0.0.1:${securePort}`,
        plain: `ldap://127.0.0.1:${port}`,
        base: `ou=hosts,${BASE}`,
        username: `cn=reader,${BASE}`,
        password: 'reader',
        admin: `cn=admin,${BASE}`,
        'admin password': 'admin',
        ca,
      },
      processes: [started],
    };
  },
};

function configurationOf(folder: string, ca: string, database: string): string {
  return `${SCHEMAS.map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
pidfile ${join(folder, 'pid')}
modulepath /usr/lib/ldap
moduleload back_mdb
sizelimit size.soft=500 size.hard=unlimited size.pr=500 size.prtotal=unlimited
TLSCACertificateFile ${ca}
TLSCertificateFile ${join(folder, 'server.pem')}
TLSCertificateKeyFile ${join(folder, 'server.key')}
database mdb
suffix ${BASE}
rootdn cn=admin,${BASE}
rootpw admin
directory ${database}
dbnosync
index objectClass,cn eq
access to attrs=userPassword by anonymous auth by * none
access to dn.subtree="ou=secret,${BASE}" by * none
access to * by users read by * none
`;
}

function seed(): string {
  const devices = Array.from({ length: 1200 }, (_, index) => {
    const name = `host${String(index + 1).padStart(5, '0')}`;
    const address = `10.0.${Math.floor(index / 256)}.${index % 256}`;
    return entry(`cn=${name},ou=hosts,${BASE}`, [
      'objectClass: device',
      'objectClass: ipHost',
      `cn: ${name}`,
      `ipHostNumber: ${address}`,
      'l: berlin',
    ]);
  });
  return [
    entry(BASE, ['objectClass: dcObject', 'objectClass: organization', 'dc: example', 'o: Example']),
    entry(`ou=hosts,${BASE}`, ['objectClass: organizationalUnit', 'ou: hosts']),
    entry(`ou=empty,${BASE}`, ['objectClass: organizationalUnit', 'ou: empty']),
    entry(`ou=secret,${BASE}`, ['objectClass: organizationalUnit', 'ou: secret']),
    entry(`cn=reader,${BASE}`, [
      ...['objectClass: simpleSecurityObject', 'objectClass: organizationalRole', 'cn: reader', 'userPassword: reader'],
    ]),
    ...people(),
    ...devices,
  ].join('\n');
}

/** People and groups: sue is in cmdb by way of berlin; ben is in none. The password of each is the name, doubled. */
function people(): readonly string[] {
  const [persons, groups] = [`ou=people,${BASE}`, `ou=groups,${BASE}`];
  const person = (uid: string, cn = uid) =>
    entry(`uid=${uid},${persons}`, [
      ...['objectClass: inetOrgPerson', `uid: ${uid}`, `cn: ${cn}`, `sn: ${cn}`, `mail: ${uid}@example.test`],
      `userPassword: ${uid}${uid}`,
    ]);
  const group = (cn: string, member: string) =>
    entry(`cn=${cn},${groups}`, ['objectClass: groupOfNames', `cn: ${cn}`, `member: ${member}`]);
  return [
    entry(persons, ['objectClass: organizationalUnit', 'ou: people']),
    entry(groups, ['objectClass: organizationalUnit', 'ou: groups']),
    person('sue'),
    person('ben'),
    group('berlin', `uid=sue,${persons}`),
    group('cmdb', `cn=berlin,${groups}`),
    group('others', `cn=reader,${BASE}`),
  ];
}

function entry(dn: string, lines: readonly string[]): string {
  return `dn: ${dn}\n${lines.join('\n')}\n`;
}
