import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseTypeOptions } from '../../../src/app/accounts/decisions/type-options.ts';
import { optionSchema } from '../../../src/app/accounts/option-schemas.ts';
import { httpClientOf, systemAt } from '../../../src/kit/http-account/client.ts';
import { type HttpAccountOptions, httpAccountOptions } from '../../../src/kit/http-account/options.ts';
import { headersOf } from '../../../src/kit/options/http-headers.ts';
import type { HttpClient, HttpSettings, SourceAccount } from '../../../src/ports/index.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

const type = { id: 'thing', options: z.strictObject({ ...httpAccountOptions, path: z.string().default('hosts') }) };
const context = { signal: new AbortController().signal };
const account: SourceAccount = {
  name: 'cmdb',
  address: 'https://cmdb.example.org',
  username: 'reader',
  password: 'pa55 word',
};
const files: Readonly<Record<string, string>> = {
  'ca.pem': 'CA',
  'root.pem': 'ROOT',
  'client.pem': 'CERT AND KEY',
  'client.key': 'KEY',
};

function optionsOf(fields: Readonly<Record<string, unknown>>): HttpAccountOptions {
  return parseTypeOptions(z.strictObject({}), type, fields).own;
}

/** The settings that a client is made with. */
async function settingsOf(
  fields: Readonly<Record<string, unknown>>,
  of: Partial<SourceAccount> = {},
): Promise<HttpSettings> {
  let found: HttpSettings | undefined;
  const services = {
    logger: recordingLogger([]),
    http: {
      client(settings: HttpSettings) {
        found = settings;
        return {} as HttpClient;
      },
    },
    files: {
      async *read(path: string) {
        yield Buffer.from(files[path] ?? '');
      },
    },
  };
  await httpClientOf(optionsOf(fields), { ...account, ...of }, services, context);
  return found as HttpSettings;
}

describe('the login', () => {
  const { username, password } = account;
  it.each<[Record<string, unknown>, Partial<SourceAccount>, object | undefined]>([
    [{}, {}, { kind: 'basic', username, password }],
    [{}, { username: '' }, { kind: 'bearer', token: password }],
    [{}, { username: '', password: '' }, undefined],
    [{ auth: 'none' }, {}, undefined],
    [{ auth_type: 'Digest' }, {}, { kind: 'digest', username, password }],
    [{ auth: 'header' }, {}, { kind: 'header', name: 'X-API-Key', value: password }],
    [
      { auth: 'header', auth_header: 'Authorization: Token' },
      {},
      { kind: 'header', name: 'Authorization', value: `Token ${password}` },
    ],
    [
      { auth: 'oauth2', token_url: 'https://id.example.org/token', scope: 'read', token_auth: 'body' },
      {},
      {
        kind: 'oauth2',
        tokenUrl: 'https://id.example.org/token',
        clientId: username,
        clientSecret: password,
        scope: 'read',
        style: 'body',
      },
    ],
    [
      { auth: 'session', login_path: 'initSession', token_path: 'session_token', token_header: 'Session-Token' },
      {},
      {
        kind: 'session',
        login: { method: 'POST', path: 'initSession', basic: { username, password } },
        token: { member: 'session_token' },
        header: 'Session-Token',
      },
    ],
    [
      {
        auth: 'Session',
        login_path: 'login',
        login_method: 'put',
        login_body: '{"user": {"name": "{{ username }}", "password": "{{ password }}"}}',
        token_path: 'header:X-Token',
        logout_path: 'logout',
        logout_method: 'get',
      },
      { password: 'a"b\\c' },
      {
        kind: 'session',
        login: { method: 'PUT', path: 'login', json: { user: { name: username, password: 'a"b\\c' } } },
        token: { header: 'X-Token' },
        header: 'Authorization',
        scheme: 'Bearer',
        logout: { method: 'GET', path: 'logout' },
      },
    ],
    [
      {
        auth: 'session',
        login_path: 'jwt',
        login_body: 'username={{username}}&password={{password}}',
        token_path: 'text',
      },
      { password: 'a&b=c' },
      {
        kind: 'session',
        login: { method: 'POST', path: 'jwt', form: { username, password: 'a&b=c' } },
        token: 'text',
        header: 'Authorization',
        scheme: 'Bearer',
      },
    ],
  ])('of %j with %j', async (fields, of, auth) => {
    expect((await settingsOf(fields, of)).auth).toEqual(auth);
  });

  it.each<[Record<string, unknown>, Partial<SourceAccount>, string]>([
    [{ auth: 'basic' }, { username: '' }, 'username is missing'],
    [{ auth: 'digest' }, { password: '' }, 'the password is missing'],
    [{ auth: 'oauth2' }, {}, 'token_url is missing'],
    [{ auth: 'session' }, {}, 'login_path is missing'],
    [{ auth: 'session', login_path: 'x' }, { username: '' }, 'username is missing'],
    [{ auth: 'session', login_path: 'x', login_body: '{{ secret }}' }, {}, "login_body cannot be filled in: 'secret'"],
    [{}, { address: '' }, 'url is missing'],
  ])('of %j with %j is told to be incomplete', async (fields, of, message) => {
    await expect(settingsOf(fields, of)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  });
});

describe('options', () => {
  it('of existing installations mean what they mean there', async () => {
    const settings = await settingsOf({
      verify_cert: 'False',
      request_timeout: '45.5',
      ca_cert_chain: 'ca.pem',
      ca_root_cert: 'root.pem',
      cert: 'client.pem',
      http_proxy: 'http://u:{{ACCOUNT:cmdb:password}}@proxy:3128',
      custom_headers: 'X-API-Key: {{ ACCOUNT:cmdb:password }} | X-Tenant: muc',
      request_headers: "{'X-Tenant': 'ber', \"Accept\": 'a, \\'b\\''}",
    });
    expect(settings).toMatchObject({
      url: account.address,
      proxy: 'http://u:pa55 word@proxy:3128',
      headers: { 'X-API-Key': 'pa55 word', 'X-Tenant': 'ber', Accept: "a, 'b'" },
      tls: { verify: false, ca: 'CA\nROOT', cert: 'CERT AND KEY', key: 'CERT AND KEY' },
      limits: { answerSeconds: 45.5, idleSeconds: 45.5 },
      secrets: ['pa55 word'],
    });
  });

  it('have defaults that are safe', async () => {
    const settings = await settingsOf({
      url: 'https://other.example.org',
      http_proxy: 'direct',
      client_cert: 'client.pem',
      client_key: 'client.key',
    });
    expect(settings.url).toBe('https://other.example.org');
    expect(settings.proxy).toBeUndefined();
    expect(settings.tls).toEqual({ verify: true, cert: 'CERT AND KEY', key: 'KEY' });
    expect(settings.limits).toMatchObject({ answerSeconds: 30 });
  });

  it.each([
    [{ auth: 'ntlm' }, 'auth must be one of none, basic'],
    [{ request_timeout: '0' }, 'request_timeout must be more than 0'],
    [{ auth_header: 'X Key' }, 'auth_header must be the name of a header'],
    [{ token_auth: 'post' }, 'token_auth must be basic or body'],
    [{ url: 'https://reader:pa55@cmdb.example.org/' }, 'url must not contain a user name and password'],
    [{ token_url: 'https://reader@id.example.org/' }, 'token_url must not contain a user name and password'],
    [{ verify_cert: 'perhaps' }, 'verify_cert must be true or false'],
  ])('%j are refused', (fields, message) => {
    expect(() => optionsOf(fields)).toThrow(message);
  });

  it('may have addresses with an @ behind the machine', () => {
    const url = 'https://cmdb.example.org/a@b?from=x://y@z';
    expect(optionsOf({ url })).toMatchObject({ url });
  });

  it('are described for forms', () => {
    const { properties = {} } = optionSchema(type.options) as { properties?: Record<string, Record<string, unknown>> };
    expect(
      Object.entries(properties)
        .filter(([, { description }]) => description === undefined)
        .map(([name]) => name),
    ).toEqual(['path']);
    expect(properties.auth?.enum).toEqual(['none', 'basic', 'digest', 'bearer', 'header', 'oauth2', 'session']);
    expect(properties.client_key_passphrase?.writeOnly).toBe(true);
    expect(properties.request_timeout?.default).toBe(30);
  });

  it('fill in no secret of another account', async () => {
    for (const option of ['http_proxy', 'custom_headers']) {
      const fields = { [option]: 'X-Key: {{ACCOUNT:other:password}}' };
      await expect(settingsOf(fields)).rejects.toThrow(
        `${option} names a field of an account that is not filled in here`,
      );
    }
  });
});

describe('headers', () => {
  it.each([
    ['X-A: 1', { 'X-A': '1' }],
    ['X-A: 1 | X-B: a:b', { 'X-A': '1', 'X-B': 'a:b' }],
    ['X-A: 1|2\nX-B: 3\r\n\n', { 'X-A': '1|2', 'X-B': '3' }],
    ['{"X-A": "1"}', { 'X-A': '1' }],
    ["{'X-A': '1', }", { 'X-A': '1' }],
    ['{}', {}],
    ['', {}],
  ])('%j', (text, headers) => {
    expect(headersOf('custom_headers', text)).toEqual(headers);
  });

  it.each([
    'secret',
    'X-A: 1\nsecret',
    'X A: secret',
    '{secret}',
    '{"a": 1}',
    "{'a': secret}",
    "{'a': 'secret'",
    ': secret',
  ])('%j is refused, without its content', (text) => {
    try {
      headersOf('custom_headers', text);
      throw new Error('was taken');
    } catch (error) {
      expect((error as Error).message).toMatch(/^custom_headers (must|has|begins)/);
      expect((error as Error).message).not.toContain('secret');
    }
  });
});

describe('the system at an address', () => {
  it.each([
    ['https://Netbox.example.org/api/', 'netbox.example.org/api'],
    ['http://netbox.example.org:80/api', 'netbox.example.org/api'],
    ['https://netbox.example.org:8443', 'netbox.example.org:8443'],
    ['https://reader:secret@netbox.example.org/a?token=secret', 'netbox.example.org/a'],
  ])('is named without encryption and logins: %s', (address, system) => {
    expect(systemAt(address)).toEqual({ system });
  });

  it('has no name where the address has no host', () => {
    for (const address of ['', 'netbox', '{{ address }}']) expect(systemAt(address)).toEqual({});
  });
});
