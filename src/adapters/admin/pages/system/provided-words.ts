import { t } from '@lingui/core/macro';

/** Kinds of things that a plugin provides, by the plugin host's names, in words. */
const KINDS: Readonly<Record<string, string>> = {
  'rule type': t`rule type`,
  'kept rule types': t`kept rule types`,
  source: t`source`,
  target: t`target`,
  job: t`job`,
  'template filter': t`template filter`,
  'condition operator': t`condition operator`,
  'notification channel': t`notification channel`,
  'sign-in method': t`sign-in method`,
  'secret source': t`secret source`,
  'record processor': t`record processor`,
  action: t`action`,
  page: t`page`,
  'inventory provider': t`inventory provider`,
  'inventory providers': t`inventory providers`,
};

/** Returns `source csv` in the language of the page: a kind, and a name if there is one. */
export function providedWords(provided: string): string {
  const kind = Object.keys(KINDS)
    .filter((known) => provided === known || provided.startsWith(`${known} `))
    .sort((a, b) => b.length - a.length)[0];
  return kind === undefined ? provided : `${KINDS[kind]}${provided.slice(kind.length)}`;
}
