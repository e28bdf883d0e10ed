import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileTemplate } from '../../src/jinja/template.ts';
import { scopeOf } from './scope.ts';

interface Cases {
  readonly context: Record<string, unknown>;
  readonly templates: readonly string[];
}

interface Expected {
  readonly ok: boolean;
  readonly text: string;
  readonly error?: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = fileURLToPath(new URL('./oracle/', import.meta.url));

function askJinja(): readonly Expected[] {
  const python = process.env.MUSTER_TEST_PYTHON || `${root}.venv/bin/python`;
  if (!existsSync(python)) {
    throw new Error(
      `No Python at ${python}: this test compares with the real Jinja2. Make a virtual environment with the package jinja2 and name its python in MUSTER_TEST_PYTHON.`,
    );
  }
  return JSON.parse(execFileSync(python, [`${folder}render.py`], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}

function ask(template: string, context: Record<string, unknown>): Expected {
  try {
    const result = compileTemplate(template).render(scopeOf(context));
    return result.ok ? result : { ok: false, text: '', error: result.error.message };
  } catch (error) {
    return { ok: false, text: '', error: String(error) };
  }
}

describe('the real Jinja2 as oracle', () => {
  it('gives the same text, or none, for every case', () => {
    const cases: Cases = JSON.parse(readFileSync(`${folder}cases.json`, 'utf8'));
    const expected = askJinja();
    expect(cases.templates.length).toBeGreaterThan(250);
    expect(expected).toHaveLength(cases.templates.length);
    const differences = cases.templates.flatMap((template, index) => {
      const theirs = expected[index];
      const ours = ask(template, cases.context);
      return ours.ok === theirs?.ok && ours.text === theirs.text ? [] : [{ template, theirs, ours }];
    });
    expect(differences).toEqual([]);
  });
});
