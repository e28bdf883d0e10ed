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

function textOf(english: string): string {
  const found = i18n.messages[CONTEXT + english];
  return Array.isArray(found) ? found.join('') : english;
}
