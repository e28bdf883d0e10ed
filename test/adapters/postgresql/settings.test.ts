import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../../src/adapters/storage/postgresql/settings.ts';
import { fromStored, toStored } from '../../../src/adapters/storage/postgresql/texts.ts';

const of = (address: string, password?: string) =>
  settingsOf(address, process.cwd(), password === undefined ? undefined : async () => password);

async function passwordOf(address: string, password?: string): Promise<unknown> {
  const given = (await of(address, password)).pool.password;
  return typeof given === 'function' ? given() : given;
}

describe('addresses of PostgreSQL', () => {
  it('name host, port, user, password, database, schema and limits', async () => {
    const settings = await of(
      'postgresql://ad%40a:s%3Acret@db.example.org:6543/cm%20db?schema=muster_2&pool_size=7&statement_timeout=5000&application_name=x',
    );
    expect(settings).toMatchObject({
      schema: 'muster_2',
      server: 'db.example.org:6543',
      database: 'cm db',
      user: 'ad@a',
      statementMs: 5000,
      pool: { host: 'db.example.org', port: 6543, max: 7, application_name: 'x' },
    });
    expect(await passwordOf('postgresql://ad%40a:s%3Acret@db/x')).toBe('s:cret');
  });

  it('have defaults, and the database of the user where they name none', async () => {
    expect(await of('postgres://ada@[::1]')).toMatchObject({
      schema: 'muster',
      server: '::1:5432',
      database: 'ada',
      pool: { host: '::1', port: 5432, max: 10 },
    });
  });

  it('give way to a password that is given beside them, and never ask the environment for one', async () => {
    expect(await passwordOf('postgresql://ada:old@db/x', 'new')).toBe('new');
    expect(await passwordOf('postgresql://ada@db/x')).toBe('');
  });

  it('encrypt and check the certificate, unless that is switched off or the server is reached by a socket', async () => {
    const checked = { rejectUnauthorized: true, servername: 'db' };
    expect((await of('postgresql://ada@db/x')).pool.ssl).toMatchObject(checked);
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect((await of(`postgresql://ada@db/x?sslmode=${mode}`)).pool.ssl).toMatchObject(checked);
    expect((await of('postgresql://ada@127.0.0.1/x')).pool.ssl).toMatchObject({ rejectUnauthorized: true });
    expect((await of('postgresql://ada@db/x?sslmode=disable')).pool.ssl).toBe(false);
    expect(await of('postgresql://ada@/x?host=/run/postgresql')).toMatchObject({
      pool: { ssl: false, host: '/run/postgresql' },
    });
  });

  it.each([
    ['postgresql://ada@db/x?sslmode=prefer', 'sslmode=prefer'],
    ['postgresql://ada@db/x?sslmode=no-verify', 'sslmode=no-verify'],
    ['postgresql://ada@db/x?slmode=disable', 'the option slmode is unknown'],
    ['postgresql://db/x', 'names no user'],
    ['postgresql:///x', 'names no host'],
    ['postgresql://ada@db/x?schema=public', 'belongs to others'],
    ['postgresql://ada@db/x?schema=pg_temp', 'belongs to others'],
    ['postgresql://ada@db/x?schema=a;drop', 'schema must be a plain name'],
    ['postgresql://ada@db/x?pool_size=0', 'pool_size must be a whole number'],
    ['postgresql://ada@db/x?sslrootcert=/nowhere/ca.pem', 'sslrootcert cannot be read'],
    ['postgresql://ada:p@ss/word@db/x', 'special characters'],
    ['postgresql://ada:50%off@db/x', 'special characters'],
  ])('%s is refused by name', async (address, said) => {
    await expect(of(address)).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining(said) });
  });
});

describe('texts of PostgreSQL', () => {
  it('come back as they went in, and sort as they did', () => {
    const texts = [
      '',
      '\u0000',
      '\u0000\u0000',
      '\u0000\u0001',
      '\u0000a',
      '\u0001',
      '\u0001\u0000',
      '\u0001\u0001',
      '\u0001\u0002',
      '\u0002',
      'a',
      'a\u0000',
      'a\u0000b',
      'a\u0001',
      'ab',
    ];
    const stored = texts.map((text) => String(toStored(text)));
    expect(stored.map(fromStored)).toEqual(texts);
    expect(stored.some((text) => text.includes('\u0000'))).toBe(false);
    expect([...stored].sort()).toEqual(stored);
    expect(toStored(['a', ['\u0000']])).toEqual(['a', ['\u0001\u0001']]);
  });
});
