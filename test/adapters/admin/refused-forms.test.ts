import { readFileSync } from 'node:fs';
import { i18n, type Messages } from '@lingui/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogues, compiledCatalogue } from '../../../scripts/messages/catalogue.mjs';
import { sentence } from '../../../src/adapters/admin/pages/language/service-texts.ts';
import type { ErrorDetail } from '../../../src/ports/index.ts';
import { AdminClient } from './admin-client.ts';

let client: AdminClient;
let root: string;

beforeAll(async () => {
  client = await AdminClient.start();
  await client.service.addUser('root', { api_roles: ['all'], global_admin: true });
  root = await client.cookieOf('root');
  const [german] = catalogues().filter(({ language }) => language === 'de');
  const messages = compiledCatalogue(readFileSync(german?.path ?? '', 'utf8')) as Messages;
  i18n.loadAndActivate({ locale: 'de', messages });
});

afterAll(async () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  await client.service.stop();
});

/** What a page shows of a refusal: its message, then each detail. */
async function shown(operation: string, input: object): Promise<readonly string[]> {
  const answer = await client.call(operation, root, input);
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  const { message, wording, details = [] } = answer.json();
  return [
    sentence(message, wording),
    ...details.map((detail: ErrorDetail) => `${detail.path} | ${sentence(detail.message, detail.wording)}`),
  ];
}

describe('a refused form is told in the language of the page', () => {
  it('where a schema refuses it', async () => {
    expect(await shown('hosts/host-history', { hostname: 'web1', limit: 5000 })).toEqual([
      'limit: darf höchstens 1000 sein',
      'limit | darf höchstens 1000 sein',
    ]);
    expect(await shown('users/add-user', { name: 'a b' })).toContain(
      'name | darf keine Leerzeichen, Doppelpunkte oder Steuerzeichen enthalten',
    );
    expect(await shown('hosts/show-host', {})).toEqual(['hostname: ist erforderlich', 'hostname | ist erforderlich']);
  });

  it('where a rule does not fit its type', async () => {
    const document = {
      name: 'r',
      condition_typ: 'all',
      enabled: true,
      sort_field: 'x',
      conditions: [{}],
      outcomes: [],
    };
    expect(await shown('rules/save-rule', { rule_type: 'automation_customvars', document })).toEqual([
      'sort_field: muss eine ganze Zahl sein',
      'sort_field | muss eine ganze Zahl sein',
      'conditions.0.match_type | ist erforderlich',
    ]);
    const named = { ...document, sort_field: 1, condition_typ: 'some', conditions: [] };
    expect(await shown('rules/save-rule', { rule_type: 'automation_customvars', document: named })).toContain(
      'condition_typ | muss einer dieser Werte sein: all, any, anyway',
    );
  });

  it('where hosts, accounts and users cannot be so', async () => {
    expect(await shown('hosts/save-host', { hostname: 'a/b', account: 'crm', labels: {} })).toEqual([
      'Der Hostname "a/b" enthält einen Schrägstrich',
      'hostname | Der Hostname "a/b" enthält einen Schrägstrich',
    ]);
    expect(
      await shown('hosts/save-host', { hostname: 'web1', account: 'crm', labels: { os: { name: 'x' } } }),
    ).toContain(
      'labels.os | das Label "os" ist ein verschachteltes Objekt; Labels sind flach, speichern Sie Verschachteltes als Inventardaten',
    );
    const settings = { stale_after_days: 'x', colour: 'red', path: 'hosts.csv' };
    const refused = await shown('accounts/add-account', { name: 'files', type: 'csv', settings });
    expect(refused[0]).toMatch(/^Optionen eines Kontos vom Typ csv: .*; Optionen dieses Typs: path, /);
    expect(refused.slice(1)).toContain('colour | ist keine Option dieses Typs');
    expect(refused.join('\n')).not.toMatch(/must|is not/);
    expect(await shown('users/add-user', { name: 'olga', password: 'short' })).toEqual([
      'Das Passwort muss mindestens 10 Zeichen haben',
      'password | muss mindestens 10 Zeichen haben',
    ]);
  });

  it('where a search cannot be read', async () => {
    expect(await shown('search/search-hosts', { where: '(os:debian' })).toEqual([
      'Die Klammer an Stelle 1 wird nie geschlossen',
      'where | Die Klammer an Stelle 1 wird nie geschlossen',
    ]);
    expect((await shown('search/search-hosts', { where: 'OR os:debian' }))[0]).toBe(
      'Vor OR an Stelle 1 steht nichts; um nach dem Wort zu suchen, setzen Sie es in Anführungszeichen: "OR"',
    );
  });
});
