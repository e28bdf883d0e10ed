import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { musterHarness } from './run-muster.ts';

const RUNS = process.env.THOROUGH === '1' ? 100 : 8;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('yes', '0x1F', '1_000', '~', ' - a', 'a: b', '#', '\r\n', '2026-01-01', '!!str', '\ud800', '"', "'"),
);
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.constantFrom<object[]>({ env: 'PATH' }, { file: '/nowhere' }, { stored: true }, { literal: { env: 'x' } }),
);
const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((one) => /^\S(?:.*\S)?$/u.test(one));
const rule = fc.record({
  name,
  enabled: fc.boolean(),
  condition_typ: fc.constant('anyway'),
  conditions: fc.constant([]),
  outcomes: fc.array(fc.record({ attribute_name: fc.constant('x'), attribute_value: text }), { maxLength: 2 }),
  note: json,
});
const account = fc.record({
  name,
  type: fc.constant('api'),
  enabled: fc.boolean(),
  password: fc.string({ minLength: 1, maxLength: 10 }),
  custom_fields: fc.array(fc.record({ name: fc.constantFrom('api_token', 'secret', 'zone'), value: fc.string() })),
});

it('what is written to a folder and applied again changes nothing, whatever is stored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 5 }), fc.array(account, { maxLength: 3 }), async (rules, accounts) => {
      const muster = await musterHarness();
      const folder = await mkdtemp(join(tmpdir(), 'muster-folder-'));
      try {
        const api = { name: 'always', type: 'api' };
        const stdin = JSON.stringify({ rules: { automation_customvars: rules, accounts: [...accounts, api] } });
        await muster.run(['rules', 'import', '-'], { stdin });
        const before = await stored();
        const written = await muster.run(['rules', 'export', '--folder', join(folder, 'a')]);
        expect(`${written.exitCode} ${written.stderr}`).toMatch(/^0 /);
        const plan = await muster.json<{ readonly changes: unknown[] }>(['rules', 'apply', '-f', join(folder, 'a')]);
        expect(plan.changes).toEqual([]);
        expect(await stored()).toEqual(before);
      } finally {
        await muster.close();
        await rm(folder, { recursive: true });
      }

      async function stored(): Promise<readonly string[]> {
        const lists = await Promise.all(
          ['automation_customvars', 'accounts'].map((type) => muster.storage.rules.list(type)),
        );
        return lists.flat().map(({ document, version }) => `${version} ${document.text}`);
      }
    }),
    { numRuns: RUNS },
  );
});
