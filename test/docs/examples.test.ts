import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { memoryStorage } from '../../src/adapters/storage/memory/storage.ts';
import { OPERATIONS } from '../../src/app/catalogue/operations.ts';
import { localOperator } from '../../src/app/kernel/caller.ts';
import { configSchema } from '../../src/app/kernel/config/schema.ts';
import { compileOperator, isOperator, OPERATORS } from '../../src/app/rules/engine/operators.ts';
import { compilePattern } from '../../src/app/rules/engine/pattern.ts';
import { importRules } from '../../src/app/rules/operations/import-rules.ts';
import { compileTemplate } from '../../src/jinja/template.ts';
import { type App, createApp } from '../../src/main/compose.ts';
import { loadConfig } from '../../src/main/config/load.ts';
import type { JsonValue } from '../../src/ports/index.ts';
import { scopeOf } from '../jinja/scope.ts';
import { allBlocks, type Block, placeOf, ROOT, readPage, tableBelow } from './support/markdown.ts';

const blocks = allBlocks();
const directory = mkdtempSync(join(tmpdir(), 'muster-docs-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function withPurpose(pattern: RegExp): { place: string; block: Block }[] {
  const found = blocks
    .filter(({ purpose }) => pattern.test(purpose))
    .map((block) => ({ place: placeOf(block), block }));
  if (found.length === 0) throw new Error(`no page has an example of ${pattern}`);
  return found;
}

describe('rule documents', () => {
  let app: App;
  beforeAll(async () => {
    const storage = memoryStorage()({ clock: { now: () => new Date() } });
    await storage.start();
    const config = configSchema.parse({ DATABASE_URL: 'memory:', INSTANCE_KEY: '0'.repeat(64) });
    app = await createApp({ config, origins: {} as never, workingDirectory: directory, role: 'command', storage });
    await app.start();
  });
  afterAll(() => app.stop());

  test.each(withPurpose(/^rule /))('the one at $place can be imported', async ({ block }) => {
    const type = block.purpose.slice('rule '.length);
    const caller = localOperator({ name: 'docs', path: 'docs', requestId: 'docs' });
    const rules = { [type]: [JSON.parse(block.text)] };
    const answer = await app.executor.value(importRules, { kind: 'value', value: { rules, dry_run: true } }, caller);
    expect(answer.details ?? []).toEqual([]);
    expect(answer.total).toBe(1);
  });
});

test.each(withPurpose(/^config$/))('the configuration at $place is accepted', async ({ block }) => {
  const extension = { python: 'py' }[block.language] ?? block.language;
  const place = mkdtempSync(join(directory, 'config-'));
  writeFileSync(join(place, `local_config.${extension}`), block.text);
  const { origins } = await loadConfig({ environment: {}, workingDirectory: place });
  expect(Object.values(origins).some((origin) => origin !== 'default')).toBe(true);
});

test.each(withPurpose(/^file /))('the listing at $place is the file', async ({ block }) => {
  expect(block.text).toBe(await readFile(join(ROOT, block.purpose.slice('file '.length)), 'utf8'));
});

test('JSON and YAML is well-formed', () => {
  for (const block of blocks.filter(({ purpose }) => !/^(output|config)$/.test(purpose))) {
    if (block.language === 'json') expect(() => JSON.parse(block.text), placeOf(block)).not.toThrow();
    if (block.language === 'yaml')
      expect(
        parseAllDocuments(block.text).flatMap((document) => document.errors),
        placeOf(block),
      ).toEqual([]);
  }
});

test('every block says what it is', () => {
  const known =
    /^(sh|sh (fails|service|background|no-run)|text|text output|json|json output|json rule \w+|(yaml|json|python) config|yaml|ini|nginx|(js|json) file \S+|tsx? operation \S+)$/;
  const wrong = blocks.filter(({ language, purpose }) => !known.test(`${language} ${purpose}`.trim()));
  expect(wrong.map((block) => `${placeOf(block)} ${block.language} ${block.purpose}`)).toEqual([]);
});

describe('docs/rules.md', () => {
  const operators = tableBelow('docs/rules.md', 'Operators').map(
    ([operator = '', meaning = '', needle = '', holds = '', fails = '']) => ({
      operator,
      meaning,
      needle,
      holds,
      fails,
    }),
  );

  test('explains every operator', () => {
    expect(operators.map(({ operator }) => operator).sort()).toEqual([...OPERATORS].sort());
  });

  test.each(operators)('$operator: its example is right', ({ operator, needle, holds, fails }) => {
    if (!isOperator(operator)) throw new Error(`${operator} is no operator`);
    const now = () => new Date('2026-03-01T12:00:00Z');
    const holdsFor = compileOperator(operator, needle, { pattern: compilePattern, now });
    expect(holdsFor(JSON.parse(holds) as JsonValue)).toBe(true);
    if (fails !== '') expect(holdsFor(JSON.parse(fails) as JsonValue)).toBe(false);
  });

  const attributes = JSON.parse(
    blocks.find(({ page, language, purpose }) => page === 'docs/rules.md' && language === 'json' && purpose === '')
      ?.text ?? '{}',
  );
  const templates = tableBelow('docs/rules.md', 'Templates').map(([template = '', result = '']) => ({
    template,
    result,
  }));

  test.each(templates)('$template makes $result', ({ template, result }) => {
    const rendered = compileTemplate(template, { now: () => new Date('2026-03-01T12:00:00Z') }).render(
      scopeOf(attributes),
    );
    expect({ ...rendered, text: rendered.text.trim() }).toEqual({ ok: true, text: result });
  });
});

test('roles, statuses and names of operations in the pages exist', () => {
  const names = new Set(OPERATIONS.map(({ name }) => name));
  const named = [
    ...readPage('docs/architecture.md').matchAll(
      /`((?:accounts|hosts|imports|inventory|relations|rules|syncer|system|users)\/[a-z-]+)`/g,
    ),
  ];
  expect(named.map(([, name]) => name as string).filter((name) => !names.has(name))).toEqual([]);
});
