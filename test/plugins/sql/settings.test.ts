import { describe, expect, it } from 'vitest';
import { sqlOptions } from '../../../src/plugins/sql/options.ts';
import { engineOf, serverSettings } from '../../../src/plugins/sql/settings.ts';
import { sourceFiles } from '../../support/files.ts';
import { ACCOUNT, type Fields } from './support.ts';

async function settingsOf(address: string, fields: Fields = {}, username = 'reader') {
  const account = { ...ACCOUNT, address, username };
  const context = { files: sourceFiles, signal: new AbortController().signal };
  const settings = await serverSettings('mssql', sqlOptions().parse(fields), account, context);
  const { host, port, database, instance, username: user, encryption } = settings;
  return { host, port, database, instance, user, required: encryption.required, verify: encryption.verify };
}

describe('where a database is', () => {
  const nothing = {
    port: undefined,
    database: undefined,
    instance: undefined,
    user: 'reader',
    required: true,
    verify: true,
  };

  it.each<[string, Fields, object]>([
    ['db.example.org', {}, { host: 'db.example.org' }],
    ['db.example.org:5433', {}, { host: 'db.example.org', port: 5433 }],
    ['db.example.org,1434', {}, { host: 'db.example.org', port: 1434 }],
    ['db\\CMDB', {}, { host: 'db', instance: 'CMDB' }],
    ['[2001:db8::1]:5432', {}, { host: '2001:db8::1', port: 5432 }],
    ['2001:db8::1', {}, { host: '2001:db8::1' }],
    ['postgresql://db.example.org/cmdb', {}, { host: 'db.example.org', database: 'cmdb' }],
    ['postgresql://[2001:db8::1]:443/a%20b', {}, { host: '2001:db8::1', port: 443, database: 'a b' }],
    [
      'db',
      { server: 'other', port: '7', database: 'x', instance: 'I' },
      { host: 'other', port: 7, database: 'x', instance: 'I' },
    ],
    ['db', { trust_server_certificate: 'yes' }, { host: 'db', verify: false }],
    ['db', { allow_unencrypted: 'yes' }, { host: 'db', required: false }],
    ['127.0.0.1', {}, { host: '127.0.0.1', required: false, verify: true }],
    ['127.0.0.1', { verify_cert: false }, { host: '127.0.0.1', required: false, verify: false }],
    ['localhost', { verify_cert: 'yes' }, { host: 'localhost', required: false, verify: true }],
    ['db', { driver: 'ODBC Driver 18 for SQL Server' }, { host: 'db' }],
  ])('%s with %j', async (address, fields, expected) => {
    expect(await settingsOf(address, fields)).toEqual({ ...nothing, ...expected });
  });

  it('takes the user of the address where the account names none', async () => {
    expect(await settingsOf('mssql://olga@db', {}, '')).toMatchObject({ user: 'olga' });
    expect(await settingsOf('mssql://olga@db')).toMatchObject({ user: 'reader' });
  });

  it.each<[string, Fields, RegExp]>([
    ['', {}, /address is missing/],
    ['postgresql://m%FCller@db', {}, /cannot be read; write it as/],
    ['postgresql://u:p@db', {}, /holds a password; set it as the password of the account/],
    ['postgresql://db/x?sslmode=disable', {}, /holds parameters; set options/],
    ['postgresql://', {}, /cannot be read/],
    ['a b:c', {}, /is not a name or address/],
    ['db', { driver: 'PostgreSQL Unicode' }, /is not of SQL Server/],
    ['db', { trust_server_certificate: 'yes', verify_cert: 'yes' }, /contradict/],
  ])('refuses %s with %j', async (address, fields, message) => {
    await expect(settingsOf(address, fields)).rejects.toThrow(message);
  });

  it('needs somebody who logs in', async () => {
    await expect(settingsOf('db', {}, '')).rejects.toThrow(/username is missing/);
  });

  it.each([
    [{}, 'postgres://db', 'postgresql'],
    [{}, 'mariadb://db', 'mysql'],
    [{}, 'sqlite:hosts.db', 'sqlite'],
    [{ path: 'hosts.db' }, '', 'sqlite'],
    [{ engine: 'mssql' }, 'db:1433', 'mssql'],
  ] as const)('knows the kind of the database by %j and %s', (options, address, engine) => {
    expect(engineOf({ engine: undefined, path: undefined, ...options }, address)).toBe(engine);
  });

  it('refuses a kind that it does not know, and one that is told twice', () => {
    expect(() => engineOf({ engine: undefined, path: undefined }, 'db')).toThrow(/engine is missing/);
    expect(() => engineOf({ engine: undefined, path: undefined }, 'oracle://db')).toThrow(/begins with oracle:/);
    expect(() => engineOf({ engine: 'mysql', path: undefined }, 'postgres://db')).toThrow(
      /is of postgresql, and engine says mysql/,
    );
  });
});
