import { i18n } from '@lingui/core';
import { exactText, readersZone } from '../parts/moments.ts';

/**
 * Answers in which `title` and `description` are texts of the program: types of accounts, rules and jobs, with their members, and
 * purposes of plugins and configuration keys.
 */
const DECLARING: ReadonlySet<string> = new Set([
  'accounts/list-account-types',
  'cron/list-jobs',
  'rules/describe-rule-types',
  'system/list-plugins',
  'system/show-config',
]);

/** Context under which `keyOf` in scripts/messages makes the keys of such texts. */
const CONTEXT = 'service\u0004';

/** Answers in which a message or a reason may have its parts next to it, as `wording`: of runs, and of log entries about them. */
const WORDING: ReadonlySet<string> = new Set([
  'accounts/show-account',
  'accounts/show-accounts',
  'exports/export-account',
  'imports/import-account',
  'imports/try-import',
  'system/check-export',
  'system/run-doctor',
  'rules/import-rules',
  'rules/rule-failures',
  'rules/save-rule',
  'runs/list-runs',
  'runs/list-strips',
  'runs/show-run',
  'runs/undo-run',
  'syncer/list-account-runs',
  'syncer/list-log-sources',
  'syncer/list-logs',
]);

/** Returns an answer with such texts in the language of the page, if the catalogue has them; those of plugins stay unchanged. */
export function inLanguage<Answer>(operation: string, answer: Answer): Answer {
  if (DECLARING.has(operation)) return i18n.locale === 'en' ? answer : (translated(answer) as Answer);
  return WORDING.has(operation) ? (said(answer) as Answer) : answer;
}

function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== 'object' || value === null) return value;
  const { wording, what_wording, ...members } = value as Readonly<Record<string, unknown>>;
  const told = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, said(member)]));
  // Unreadable part of a source, in addition to the reason.
  if (typeof told.what === 'string') told.what = sentence(told.what, isWorded(what_wording) ? what_wording : undefined);
  const name = ['message', 'last_error'].find((member) => member in told) ?? 'reason';
  const english = told[name];
  if (typeof english !== 'string') return wording === undefined ? told : { ...told, wording };
  return { ...told, [name]: sentence(english, isWorded(wording) ? wording : undefined) };
}

function isWorded(value: unknown): value is Worded {
  return typeof value === 'object' && value !== null && 'template' in value && 'values' in value;
}

function translated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translated);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      (name === 'title' || name === 'description') && typeof member === 'string' ? textOf(member) : translated(member),
    ]),
  );
}

/** A sentence of the service with its parts. */
export interface Worded {
  /** The text in English. */
  readonly text?: string;
  readonly template: string;
  readonly values: Readonly<Record<string, string | number | Worded>>;
}

/**
 * Returns a sentence of the service in the language of the page; in English if there is no translation. One without parts,
 * because it has no values or the service did not put it together, is looked up unchanged.
 */
export function sentence<English extends string | undefined>(
  english: English,
  wording: Worded | undefined,
): English | string {
  if (english === undefined) return english;
  const text = i18n.locale === 'en' ? english : (filled(wording ?? { template: english, values: {} }) ?? english);
  return wording === undefined ? text : inZone(text, wording);
}

/** Returns the fault of a template or pattern, which answers have as a text alone, in the language of the page. */
export function faultText(fault: string): string {
  const name = /^'([^']*)' is undefined$/.exec(fault)?.[1];
  return sentence(fault, name === undefined ? undefined : { template: "'{name}' is undefined", values: { name } });
}

/** Times of a sentence, which the service writes in UTC, as the reader's clock shows them. */
function inZone(text: string, { values }: Worded): string {
  let local = text;
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'object') local = inZone(local, value);
    else if (typeof value === 'string' && TIMES.has(name) && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) {
      const there = exactText(value, readersZone());
      local = local.replaceAll(`${value} UTC`, there).replaceAll(value, there);
    }
  }
  return local;
}

/** Names of values that are times of the service and never data. */
const TIMES: ReadonlySet<string> = new Set(['at', 'since', 'until', 'time']);

function filled({ template, values }: Worded): string | undefined {
  const found = i18n.messages[CONTEXT + template];
  if (found === undefined) return undefined;
  const text = Array.isArray(found) ? found.join('') : found;
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    if (typeof value === 'number') return i18n.number(value);
    return typeof value === 'string' ? value : (filled(value) ?? value.text ?? hole);
  });
}

/** Returns a text of the program in the language of the page, if the catalogue has it. */
export function textOf(english: string): string {
  const found = i18n.messages[CONTEXT + english];
  return Array.isArray(found) ? found.join('') : english;
}
