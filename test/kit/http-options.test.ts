import { expect, it } from 'vitest';
import { holdsHttpSecret } from '../../src/kit/options/http-options.ts';

const HEADERS: [value: string, isSecret: boolean][] = [
  ['X-API-Key: abc123 | X-Tenant: muc', true],
  ['X-Tenant: muc | Authorization: Basic b2xnYTp4', true],
  ['X-Tenant: muc', false],
  ['Cookie: session=1', true],
  ['X-API-Key: {{ACCOUNT:plain:password}} | X-Tenant: muc', false],
  ['Authorization: Bearer {{ACCOUNT:plain:password}}', false],
  ['Authorization: Bearer abc | X-API-Key: {{ACCOUNT:plain:password}}', true],
  ["{'Content-Type': 'application/json', 'X-Team': 'cmdb'}", false],
  ["{'Content-Type': 'application/json', 'X-Auth-Token': 'abc'}", true],
  ['{"Accept": "a, b", "Authorization": "Bearer {{ACCOUNT:plain:password}}"}', false],
  ['{"Authorization":"Bearer abc"}', true],
  ['', false],
  ['nothing of the kind', false],
  ['X-Tenant: muc\nX-API-Key: abc123', true],
  ['X-Tenant: a|b\nX-API-Key: {{ACCOUNT:plain:password}}', false],
  ["{'X-Tenant': 'a, \\'b', 'X-API-Key': 'abc'}", true],
  ["{'X-API-Key': abc}", true],
];

it.each(HEADERS)('headers hold a secret, or none: %s', (value, isSecret) => {
  for (const option of ['custom_headers', 'request_headers']) expect(holdsHttpSecret(option, value)).toBe(isSecret);
  expect(holdsHttpSecret('path', value)).toBe(false);
});

it.each<[string, boolean]>([
  ['http://proxy.example.net:3128', false],
  ['http://olga:hunter2@proxy.example.net:3128', true],
  ['olga:hunter2@proxy.example.net:3128', true],
  ['http://{{ACCOUNT:plain:username}}@proxy.example.net:3128', false],
  ['http://olga:{{ACCOUNT:plain:password}}@proxy.example.net:3128', false],
  ['direct', false],
])('a proxy holds a password, or none: %s', (value, isSecret) => {
  expect(holdsHttpSecret('http_proxy', value)).toBe(isSecret);
});
