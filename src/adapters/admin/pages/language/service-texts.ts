import { i18n } from '@lingui/core';

/** Answers in which `title` and `description` are texts of the program: what types of accounts, rules and jobs are, and their members. */
const DECLARING: ReadonlySet<string> = new Set([
  'accounts/list-account-types',
  'cron/list-jobs',
  'rules/describe-rule-types',
]);

/** As `keyOf` in scripts/messages makes the keys of such texts. */
const CONTEXT = 'service\u0004';

/** An answer with those texts in the language of the page, where the catalogue has them; those of plugins stay as they are. */
export function inLanguage<Answer>(operation: string, answer: Answer): Answer {
  if (i18n.locale === 'en' || !DECLARING.has(operation)) return answer;
  return translated(answer) as Answer;
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
  /** In English. */
  readonly text?: string;
  readonly template: string;
  readonly values: Readonly<Record<string, string | number | Worded>>;
}

/** A sentence of the service in the language of the page; in English where it came without its parts, or nobody translated it. */
export function sentence<English extends string | undefined>(
  english: English,
  wording: Worded | undefined,
): English | string {
  return wording === undefined || i18n.locale === 'en' ? english : (filled(wording) ?? english);
}

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

function textOf(english: string): string {
  const found = i18n.messages[CONTEXT + english];
  return Array.isArray(found) ? found.join('') : english;
}
