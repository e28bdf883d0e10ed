import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { serverCertificates } from './certificates.ts';
import { freePort, runProgram, startProgram, until, userNamed } from './processes.ts';
import type { Recipe } from './recipe.ts';

const PASSWORD = 'secret';

export const mariadb: Recipe = {
  name: 'mariadb',
  about: 'MariaDB whose user sync must encrypt, with 1,000 hosts in the table hosts of the database cmdb',
  packages: ['mariadb-server'],
  programs: ['mariadbd', 'mariadb-install-db'],
  async start(folder) {
    const user = await userNamed('mysql');
    const { ca, server } = await serverCertificates(folder);
    const data = join(folder, 'data');
    const socket = join(folder, 'socket');
    const names = { 'server.pem': server.cert, 'server.key': server.key };
    for (const [name, text] of Object.entries(names)) await writeFile(join(folder, name), text);
    await runProgram('mariadb-install-db', [
      ...['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'],
      ...(user === undefined ? [] : ['--user=mysql']),
    ]);
    if (user !== undefined) await runProgram('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
    const port = await freePort();
    const started = startProgram(
      'mariadbd',
      [
        ...['--no-defaults', `--datadir=${data}`, '--bind-address=127.0.0.1', `--port=${port}`, `--socket=${socket}`],
        ...['--skip-log-bin', '--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=32M'],
        ...[`--ssl-ca=${ca}`, `--ssl-cert=${join(folder, 'server.pem')}`, `--ssl-key=${join(folder, 'server.key')}`],
      ],
      { log: join(folder, 'log'), cwd: folder, user },
    );
    const root = await until(() => createConnection({ socketPath: socket, user: 'root' }), started);
    try {
      for (const statement of SEED) await root.query(statement);
    } finally {
      await root.end();
    }
    return {
      facts: {
        address: `mysql://sync@127.0.0.1:${port}/cmdb`,
        port: String(port),
        username: 'sync',
        password: PASSWORD,
        ca,
        root: `mariadb --socket=${socket} --user=root`,
        socket,
      },
      processes: [started],
    };
  },
};

const SEED = [
  'CREATE DATABASE cmdb',
  'CREATE TABLE cmdb.hosts (name varchar(64) PRIMARY KEY, ip varchar(40), site varchar(40), updated timestamp DEFAULT now())',
  "INSERT INTO cmdb.hosts (name, ip, site) SELECT concat('h', seq), concat('10.0.', seq DIV 256, '.', seq % 256), 'berlin' FROM cmdb.seq_1_to_1000",
  `CREATE USER sync@'%' IDENTIFIED BY '${PASSWORD}' REQUIRE SSL`,
  "GRANT ALL ON *.* TO sync@'%'",
];
