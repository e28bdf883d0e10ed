import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system-clock.ts';
import { loadConfig } from '../../../src/main/config/load.ts';
import { Stores } from '../../../src/main/store.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'muster-config-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function load(environment: Record<string, string> = {}, flags = {}) {
  return loadConfig({ environment, workingDirectory: directory, flags });
}

function file(name: string, text: string): void {
  writeFileSync(join(directory, name), text);
}

describe('configuration', () => {
  it('has a default for every key', async () => {
    const { config, origins } = await load();
    expect(config.HTTP_PORT).toBe(8080);
    expect(config.DATABASE_URL).toBe('sqlite:data/muster.db');
    expect(origins.HTTP_PORT).toBe('default');
  });

  it.each([
    ['MCP_TRANSPORT', 'stdio', 'sse', 'sse'],
    ['MCP_HOST', '127.0.0.1', '::1', '::1'],
    ['MCP_PORT', 8765, '9000', 9000],
    ['MCPSERVER_ENABLED', false, '1', true],
    ['MCPSERVER_PORT', 8765, '9001', 9001],
  ] as const)('starts the tool server by %s, %j unless SERVICE_… says %s', async (key, value, given, set) => {
    expect((await load()).config[key]).toBe(value);
    expect((await load({ [`SERVICE_${key}`]: given })).config[key]).toBe(set);
  });

  it('names variables that lack the prefix, and no others', async () => {
    const environment = { HTTP_PORT: '1', MUSTER_BASE_URL: 'x', MUSTER_URL: 'x', MCPSERVER_PORT: '9000', PATH: '/bin' };
    expect((await load(environment)).unreadVariables).toEqual(['HTTP_PORT', 'MUSTER_BASE_URL']);
  });

  it('takes flags over variables over the file over defaults, and says where each value is from', async () => {
    file('local_config.yaml', 'HTTP_PORT: 1\nHTTP_HOST: file.example\nTRUSTED_PROXIES: 1\n');
    const { config, origins } = await load(
      { SERVICE_HTTP_PORT: '2', SERVICE_HTTP_HOST: 'variable.example' },
      { HTTP_PORT: 3 },
    );
    expect(config).toMatchObject({ HTTP_PORT: 3, HTTP_HOST: 'variable.example', TRUSTED_PROXIES: 1 });
    expect(origins).toMatchObject({
      HTTP_PORT: '--http-port',
      HTTP_HOST: 'SERVICE_HTTP_HOST',
      TRUSTED_PROXIES: join(directory, 'local_config.yaml'),
    });
  });

  it.each([
    ['local_config.py', '\uFEFFCMDB_MODE = True\nPLUGINS = ["a", "b"]\n'],
    ['local_config.json', '\uFEFF{"CMDB_MODE": true, "PLUGINS": ["a", "b"]}'],
    ['local_config.yaml', 'CMDB_MODE: 1\nPLUGINS: [a, b]\n'],
    ['local_config.py', 'CMDB_MODE = 1\nPLUGINS = ["a", "b"]\n'],
    ['local_config.json', '{"CMDB_MODE": true, "PLUGINS": ["a", "b"]}'],
    ['local_config.yaml', 'CMDB_MODE: true\nPLUGINS: [a, b]\n'],
    ['local_config.py', '# ours\nCMDB_MODE = True\nPLUGINS = [\n  "a",  # first\n  "b",\n]\n'],
    ['local_config.py', "config = {\n    'CMDB_MODE': True,\n    'PLUGINS': ['a', 'b'],\n}\n"],
  ])('reads %s', async (name, text) => {
    file(name, text);
    const { config } = await load();
    expect(config).toMatchObject({ CMDB_MODE: true, PLUGINS: ['a', 'b'] });
  });

  it('never executes local_config.py', async () => {
    file('local_config.py', 'import os; os.system("true")\nCMDB_MODE = True\n');
    await expect(load()).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('line 1') });
    file('local_config.py', 'import os\nfrom a.b import c\nCMDB_MODE = True\n');
    expect((await load()).config.CMDB_MODE).toBe(true);
    file('local_config.py', 'CMDB_MODE = bool(1)\n');
    await expect(load()).rejects.toMatchObject({ message: expect.stringContaining('line 1') });
  });

  it('reads lists in variables as comma-separated', async () => {
    expect((await load({ SERVICE_PLUGINS: 'a, b,,c' })).config.PLUGINS).toEqual(['a', 'b', 'c']);
  });

  it('reads the switches of the tool server without the prefix too, which wins where both are set', async () => {
    const { config, origins } = await load({
      MCPSERVER_ENABLED: '1',
      MCPSERVER_PORT: '9000',
      MCP_PORT: '1',
      HTTP_PORT: '2',
    });
    expect(config).toMatchObject({ MCPSERVER_ENABLED: true, MCPSERVER_PORT: 9000, MCP_PORT: 8765, HTTP_PORT: 8080 });
    expect(origins).toMatchObject({ MCPSERVER_ENABLED: 'MCPSERVER_ENABLED', MCPSERVER_PORT: 'MCPSERVER_PORT' });
    const both = { SERVICE_MCPSERVER_PORT: '1', MCPSERVER_PORT: '2' };
    for (const names of [Object.entries(both), Object.entries(both).reverse()]) {
      expect((await load(Object.fromEntries(names))).config.MCPSERVER_PORT).toBe(1);
    }
    await expect(load({ MCPSERVER_PORT: 'x' })).rejects.toThrow('MCPSERVER_PORT');
  });

  it.each([
    ['HTTP_PORT: null', 'HTTP_PORT'],
    ['HTTP_PORT: ""', 'HTTP_PORT'],
    ['HTTP_PORT: [8123]', 'HTTP_PORT'],
    ['TRUSTED_PROXIES: true', 'TRUSTED_PROXIES'],
    ['STALE_DAYS: "0x10"', 'STALE_DAYS'],
    ['WORKER_THREADS: 1.5', 'WORKER_THREADS'],
    ['CMDB_MODE: 2', 'CMDB_MODE'],
  ])('takes nothing for a number or a flag that is none: %s', async (text, key) => {
    file('local_config.yaml', `${text}\n`);
    await expect(load()).rejects.toThrow(
      new RegExp(`bad value of ${key} in .*local_config.yaml: must be|${key}.*whole`),
    );
  });

  it('reads what is secret from a file that a variable names, and says so', async () => {
    file('url', 'mongodb://ada:secret@mongo1/muster\n');
    const { config, origins } = await load({ SERVICE_DATABASE_URL_FILE: 'url', SERVICE_AUDIT_FORWARD_TOKEN_FILE: '' });
    expect(config.DATABASE_URL).toBe('mongodb://ada:secret@mongo1/muster');
    expect(origins.DATABASE_URL).toBe(`SERVICE_DATABASE_URL_FILE (${join(directory, 'url')})`);
    expect(origins.AUDIT_FORWARD_TOKEN).toBe('default');
    file('local_config.yaml', 'DATABASE_URL: "memory:"');
    expect((await load({ SERVICE_DATABASE_URL_FILE: 'url' })).config.DATABASE_URL).toMatch(/^mongodb:/);
    const flags = { DATABASE_URL: 'sqlite:other.db' };
    expect((await load({ SERVICE_DATABASE_URL_FILE: 'url' }, flags)).config.DATABASE_URL).toBe('sqlite:other.db');
  });

  it('takes a replica of a PostgreSQL database only', async () => {
    const stores = new Stores([], { problem: () => undefined, read: async () => '' });
    const require = async (url: string, replica: string, flags = {}) => {
      const loaded = await load({ SERVICE_DATABASE_URL: url, SERVICE_DATABASE_REPLICA_URL: replica }, flags);
      stores.require(loaded);
      return async (address: string) => {
        const place = { ...loaded, workingDirectory: directory };
        const { storage } = await stores.open(address, place, recordingLogger([]), systemClock);
        return storage.replica !== undefined;
      };
    };
    const [primary, replica] = ['postgresql://ada@db/x', 'postgresql://ada@copy/x'];
    const isRead = await require(primary, replica);
    expect([await isRead(primary), await isRead('postgresql://ada@other/x')]).toEqual([true, false]);
    expect(await (await require(primary, ''))(primary)).toBe(false);
    const other = 'postgres://ada@other/x';
    expect(await (await require(primary, replica, { DATABASE_URL: other }))(other)).toBe(false);
    for (const url of ['sqlite:x.db', 'mongodb://db/x', 'memory:'])
      await expect(require(url, replica)).rejects.toThrow(
        /bad value of DATABASE_REPLICA_URL in SERVICE_DATABASE_REPLICA_URL: .* is not read from replicas/,
      );
    await expect(require(primary, 'mongodb://copy/x')).rejects.toThrow(/REPLICA_URL: must begin with postgresql:/);
    await require(primary, replica, { DATABASE_URL: 'memory:' });
  });

  it('does not start without the secret that such a file was to hold', async () => {
    file('empty', '\n');
    file('url', 'mongodb://mongo1/muster');
    const of = (environment: Record<string, string>) => expect(load(environment)).rejects;
    await of({ SERVICE_DATABASE_URL_FILE: 'missing' }).toThrow(
      /SERVICE_DATABASE_URL_FILE names .*missing, which cannot/,
    );
    await of({ SERVICE_DATABASE_URL_FILE: 'empty' }).toThrow(/names .*empty, which is empty/);
    const both = { SERVICE_DATABASE_URL_FILE: 'url', SERVICE_DATABASE_URL: 'memory:' };
    await of(both).toThrow(/SERVICE_DATABASE_URL and SERVICE_DATABASE_URL_FILE are both set/);
  });

  it('takes digits for numbers', async () => {
    const { config } = await load({ SERVICE_HTTP_PORT: ' 8123 ', SERVICE_PLUGIN_TIMEOUT_SECONDS: '0.5' });
    expect(config).toMatchObject({ HTTP_PORT: 8123, PLUGIN_TIMEOUT_SECONDS: 0.5 });
  });

  it('refuses an instance key that is none, and does not repeat it', async () => {
    const loaded = load({ SERVICE_INSTANCE_KEY: 'geheim' });
    await expect(loaded).rejects.toThrow(/bad value of INSTANCE_KEY in SERVICE_INSTANCE_KEY: must be 32 bytes/);
    await expect(loaded).rejects.not.toThrow(/geheim/);
    expect((await load({ SERVICE_INSTANCE_KEY: 'a1'.repeat(32) })).config.INSTANCE_KEY).toHaveLength(64);
  });

  it('names unknown keys and bad values with their origin', async () => {
    await expect(load({ SERVICE_HTTP_PROT: '1' })).rejects.toThrow(/HTTP_PROT in SERVICE_HTTP_PROT/);
    await expect(load({ SERVICE_HTTP_PORT: 'many' })).rejects.toThrow(/HTTP_PORT in SERVICE_HTTP_PORT/);
    file('local_config.json', '{"httpport": 1}');
    await expect(load()).rejects.toThrow(/httpport.*local_config\.json.*HTTP_PORT/);
  });

  it.each([
    ['local_config.json', '{"__proto__": {"HTTP_PORT": 1}}'],
    ['local_config.py', '__proto__ = {"HTTP_PORT": 1}\n'],
    ['local_config.py', 'config = {"__proto__": {"HTTP_PORT": 1}}\n'],
    ['local_config.yaml', 'constructor: 1\n'],
  ])('takes a name that every object inherits for the unknown key it is: %s', async (name, text) => {
    file(name, text);
    await expect(load()).rejects.toThrow(/unknown key (__proto__|constructor) in/);
  });

  it('takes an address of the service without a user and a query that are in it: links with it go to everybody', async () => {
    const of = async (address: string) => (await load({ SERVICE_BASE_URL: address })).config.BASE_URL;
    expect(await of('https://ada:pw@muster.example.org/muster?token=q#x')).toBe('https://muster.example.org/muster');
    for (const unusable of ['muster.example.org', 'ada:p@ss@muster.example.org', 'ftp://muster.example.org']) {
      await expect(of(unusable)).rejects.toThrow(/BASE_URL in SERVICE_BASE_URL: must be a whole address/);
    }
    expect(await of('https://muster.example.org:8443')).toBe('https://muster.example.org:8443');
  });

  it.each([
    ['HTPP_PORT', 'HTTP_PORT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['BaseUrl', 'BASE_URL'],
  ])('names the key that is near: %s', async (key, near) => {
    await expect(load({ [`SERVICE_${key}`]: 'x' })).rejects.toThrow(
      new RegExp(`unknown key .*did you mean ${near}\\?`),
    );
  });

  it('says what TRUSTED_PROXIES takes', async () => {
    await expect(load({ SERVICE_TRUSTED_PROXIES: 'foo' })).rejects.toThrow(/TRUSTED_PROXIES in .*: must be the number/);
  });

  it('refuses two files at once', async () => {
    file('local_config.json', '{}');
    file('local_config.yaml', '');
    await expect(load()).rejects.toThrow(/both exist/);
  });
});
