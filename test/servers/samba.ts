import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'ldapts';
import { serverCertificates } from './certificates.ts';
import { freePort, runProgram, startProgram, until } from './processes.ts';
import type { Recipe } from './recipe.ts';

const REALM = 'AD.EXAMPLE.TEST';
const BASE = 'DC=ad,DC=example,DC=test';
const ADMINISTRATOR = 'administrator@ad.example.test';
const PASSWORD = 'Passw0rd.Test1';
const COMPUTERS = 120;

export const samba: Recipe = {
  name: 'samba',
  about:
    'an Active Directory domain controller with ldap:// (StartTLS) and ldaps://, and 120 computers, every tenth disabled',
  packages: [
    ...['samba', 'samba-ad-provision', 'samba-dsdb-modules', 'samba-vfs-modules', 'winbind', 'krb5-user', 'socat'],
    ...['iproute2', 'util-linux'],
  ],
  programs: ['samba', 'samba-tool', 'socat', 'ip', 'unshare', 'nsenter'],
  rootBecause: 'its ports cannot be chosen, so it runs in a network of its own',
  async refusal() {
    try {
      await runProgram('unshare', ['-n', 'true']);
      return undefined;
    } catch {
      return 'this machine allows no network of its own (unshare -n), which it needs because its ports cannot be chosen';
    }
  },
  async start(folder) {
    const { ca, server } = await serverCertificates(folder);
    const files = { 'server.pem': server.cert, 'server.key': server.key };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
    const home = join(folder, 'dc');
    await runProgram('samba-tool', [
      ...[
        'domain',
        'provision',
        `--targetdir=${home}`,
        `--realm=${REALM}`,
        '--domain=AD',
        '--server-role=dc',
        '--dns-backend=NONE',
      ],
      ...[`--adminpass=${PASSWORD}`, '--host-name=dc1', '--host-ip=127.0.0.1', '--use-rfc2307'],
      ...['--option=interfaces=lo', '--option=bind interfaces only=yes'],
    ]);
    const options = {
      'server services': 'ldap cldap kdc',
      'winbindd socket directory': join(home, 'w'),
      'ncalrpc dir': join(home, 'n'),
      'pid directory': home,
      'lock dir': join(home, 'lock'),
      'tls certfile': join(folder, 'server.pem'),
      'tls keyfile': join(folder, 'server.key'),
      'tls cafile': ca,
    };
    const settings = Object.entries(options).map(([name, value]) => `'--option=${name}=${value}'`);
    const command = `ip link set lo up && exec samba -i -M single --debuglevel=1 -s '${join(home, 'etc/smb.conf')}' ${settings.join(' ')}`;
    const started = startProgram('unshare', ['-n', 'sh', '-c', command], { log: join(folder, 'log'), cwd: folder });
    const [port, securePort] = [await freePort(), await freePort()];
    const lines = [
      [port, 389],
      [securePort, 636],
    ].map(([outside, inside]) =>
      startProgram(
        'socat',
        [
          `TCP-LISTEN:${outside},bind=127.0.0.1,fork,reuseaddr`,
          `EXEC:nsenter -t ${started.pid} -n socat STDIO TCP\\:127.0.0.1\\:${inside}`,
        ],
        { log: join(folder, 'lines.log') },
      ),
    );
    const client = await until(async () => {
      const one = new Client({
        url: `ldaps://127.0.0.1:${securePort}`,
        tlsOptions: { rejectUnauthorized: false },
        connectTimeout: 2000,
      });
      await one.bind(ADMINISTRATOR, PASSWORD).catch(async (error: unknown) => {
        await one.unbind().catch(() => undefined);
        throw error;
      });
      return one;
    }, started);
    try {
      for (let index = 1; index <= COMPUTERS; index++) await client.add(...computer(index));
    } finally {
      await client.unbind();
    }
    return {
      facts: {
        address: `ldaps://127.0.0.1:${securePort}`,
        plain: `ldap://127.0.0.1:${port}`,
        base: BASE,
        username: ADMINISTRATOR,
        password: PASSWORD,
        ca,
      },
      processes: [started, ...lines],
    };
  },
};

const WORKSTATION = 4096;
const DISABLED = 2;

function computer(index: number): [string, Record<string, string>] {
  const name = `PC${String(index).padStart(5, '0')}`;
  return [
    `CN=${name},CN=Computers,${BASE}`,
    {
      objectClass: 'computer',
      sAMAccountName: `${name}$`,
      userAccountControl: String(WORKSTATION + (index % 10 === 0 ? DISABLED : 0)),
      dNSHostName: `${name.toLowerCase()}.ad.example.test`,
      operatingSystem: 'Windows Server 2022',
    },
  ];
}
