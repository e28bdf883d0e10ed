import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  exportedDocuments,
  fixtureJson,
  fixturePath,
  fixtureText,
  recordedAnswers,
  referenceFacts,
} from './fixtures.ts';

const facts = referenceFacts();

/** The values at a path such as `jobs[].account`; a part `[name=x]` takes the members of a list with that name. */
function valuesAt(value: unknown, path: string): unknown[] {
  let values = [value];
  for (const [, member, list, named] of path.matchAll(/([^.[\]]+)(\[(?:name=([^\]]+))?\])?/g)) {
    values = values.flatMap((each) => (each as Record<string, unknown>)[member!] ?? []);
    if (list && named) values = values.filter((each) => (each as { name?: unknown }).name === named);
  }
  return values;
}

describe('what is known of the reference', () => {
  const exported = exportedDocuments('everything/export.jsonl');

  it('has all its rule types and jobs', () => {
    expect(Object.keys(facts.types)).toHaveLength(55);
    expect(Object.keys(facts.jobs)).toHaveLength(76);
    expect(fixtureJson('everything/export-facts.json')).toMatchObject({ rule_types: Object.keys(facts.types) });
  });

  it('has an exported document of each type, in the order of the types', () => {
    expect([...exported.keys()]).toEqual(Object.keys(facts.types));
    for (const [type, documents] of exported) expect(documents.length, type).toBeGreaterThan(0);
  });

  it('has every job in a cron group', () => {
    const commands = exported.get('cron_groups')!.flatMap((group) => valuesAt(group, 'jobs[].command'));
    expect(new Set(commands)).toEqual(new Set(Object.keys(facts.jobs)));
  });

  it('has a value of every member of every type in some document', () => {
    // Templates are hosts to the reference: one model for both.
    const hosts = ['host_objects', 'cmdb_templates'];
    const documentsOf = (type: string) =>
      (hosts.includes(type) ? hosts : [type]).flatMap((each) => exported.get(each)!);
    for (const [type, { members }] of Object.entries(facts.types)) {
      const seen = new Set(documentsOf(type).flatMap((document) => Object.keys(document)));
      expect({ type, missing: Object.keys(members).filter((member) => !seen.has(member)) }).toEqual({
        type,
        missing: [],
      });
    }
  });

  it('says where secrets are, and in which form', () => {
    const form = {
      fernet: /^gAAAAA[\w-]+=*$/,
      scrypt: /^scrypt:\d+:\d+:\d+\$\w+\$[0-9a-f]{128}$/,
      sha256: /^[0-9a-f]{64}$/,
      clear: /./,
    };
    for (const [type, { secrets }] of Object.entries(facts.types)) {
      for (const [path, kind] of Object.entries(secrets)) {
        const found = exported.get(type)!.flatMap((document) => valuesAt(document, path));
        const texts = found.filter((text) => typeof text === 'string' && text !== '');
        expect(texts.length, `${type} ${path}`).toBeGreaterThan(0);
        for (const text of texts) expect(text).toMatch(form[kind]);
      }
    }
  });

  it('has no reference by id that leads nowhere', () => {
    const ids = new Map(
      [...exported].map(([type, documents]) => [
        type,
        new Set(documents.flatMap((each) => valuesAt(each, '_id.$oid'))),
      ]),
    );
    for (const [type, { references }] of Object.entries(facts.types)) {
      for (const [path, { type: other, by }] of Object.entries(references)) {
        if (by !== 'id') continue;
        for (const reference of exported.get(type)!.flatMap((document) => valuesAt(document, path))) {
          const { $oid } = reference as { $oid: string };
          const targets = other === 'host_objects' ? ['host_objects', 'cmdb_templates'] : [other];
          expect(
            targets.some((target) => ids.get(target)!.has($oid)),
            `${type} ${path} ${$oid}`,
          ).toBe(true);
        }
      }
    }
  });

  it('names no folder of a machine', () => {
    for (const name of readdirSync(fixturePath('everything'), { recursive: true }).map(String)) {
      if (/\.jsonl?$/.test(name))
        expect(fixtureText(`everything/${name}`)).not.toMatch(/\/(?:home|root|tmp|work|Users)\//);
    }
  });

  it('shows what users with a scope see', () => {
    const all = recordedAnswers('everything/scopes.json').filter(
      ({ path }) => path === '/objects/all?start=0&limit=1000',
    );
    const sizes = Object.fromEntries(all.map(({ user, answer }) => [user, (answer as { size: number }).size]));
    expect(sizes).toMatchObject({ lost: 0, past: 0 });
    expect(sizes.tess).toBeGreaterThan(0);
    expect(sizes.tess).toBeLessThan(sizes.olga!);
    expect(sizes.rita).toBe(sizes.olga);
  });

  it('has a thousand hosts and two hundred rules that make inventories', () => {
    const thousand = exportedDocuments('thousand/export.jsonl.gz');
    expect(thousand.get('host_objects')!.length).toBeGreaterThanOrEqual(1000);
    const kinds = ['custom_attributes', 'ansible_rewrite', 'ansible_filter', 'ansible_customvars'];
    expect(kinds.map((kind) => thousand.get(kind)!.length).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(
      200,
    );
  });
});

const run = fileURLToPath(new URL('./run.mjs', import.meta.url));
const isInstalled = existsSync(new URL('../../.oracle/venv', import.meta.url));

describe.runIf(process.env.THOROUGH && isInstalled)('the reference itself', () => {
  it('still answers what was recorded', { timeout: 1_200_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [run, 'compare']);
    expect(stdout).toContain('are what the oracle answers');
  });
});
