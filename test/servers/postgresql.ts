import { serverCertificates } from './certificates.ts';
import { databaseIsUp, PASSWORD, query, startDatabase } from './database-server.ts';
import type { Recipe } from './recipe.ts';

export const postgresql: Recipe = {
  name: 'postgresql',
  about: 'PostgreSQL that takes encrypted connections only, with 1,000 hosts in the table hosts of the database cmdb',
  packages: ['postgresql'],
  programs: ['psql'],
  async start(folder) {
    const { ca, server } = await serverCertificates(folder);
    const { started, port, login } = await startDatabase(folder, {
      // Names alone do not let anybody in who does not encrypt.
      admits: 'hostssl all all 127.0.0.1/32 scram-sha-256',
      settings: { ssl: 'on' },
      files: { 'server.crt': server.cert, 'server.key': server.key },
    });
    const encrypted = { ...login, ssl: { ca: server.ca } };
    await databaseIsUp(started, encrypted, 'CREATE DATABASE cmdb');
    await query({ ...encrypted, database: 'cmdb' }, SEED);
    return {
      facts: {
        address: `postgresql://postgres@127.0.0.1:${port}/cmdb`,
        port: String(port),
        username: 'postgres',
        password: PASSWORD,
        ca,
      },
      processes: [started],
    };
  },
};

const SEED = `CREATE TABLE hosts (name text PRIMARY KEY, ip inet, site text, updated timestamptz DEFAULT now());
  INSERT INTO hosts SELECT 'h' || i, ('10.0.' || i / 256 || '.' || i % 256)::inet, 'berlin' FROM generate_series(1, 1000) i`;
