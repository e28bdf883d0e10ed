import { t } from '@lingui/core/macro';
import type { QueryClient } from '@tanstack/react-query';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { call } from '../../calls/call.ts';
import { may, type Session } from '../../calls/session.ts';

/** Something that a template may name. */
export interface TemplateWord {
  readonly name: string;
  /** Details: its arguments, or the number of hosts that have it. */
  readonly detail: string;
}

export interface TemplateWords {
  readonly attributes: readonly TemplateWord[];
  readonly filters: readonly TemplateWord[];
  readonly functions: readonly TemplateWord[];
}

const FRESH_MS = 60_000;

/** Returns the names that templates may use here, requested when first needed and cached for a while. */
export async function templateWords(queries: QueryClient, session: Session): Promise<TemplateWords> {
  const counted = may(session, 'rules/count-attributes')
    ? queries.fetchQuery({
        queryKey: ['rules/count-attributes', {}],
        queryFn: () => call('rules/count-attributes', {}),
        staleTime: FRESH_MS,
      })
    : undefined;
  const words = queries.fetchQuery({
    queryKey: ['rules/list-template-words', {}],
    queryFn: () => call('rules/list-template-words', {}),
    staleTime: FRESH_MS,
  });
  const { filters, functions } = await words;
  return {
    attributes: ((await counted)?.names ?? []).map(({ text, hosts }) => ({ name: text, detail: t`on ${hosts}` })),
    filters: filters.map(wordOf),
    functions: functions.map(wordOf),
  };
}

type Word = OfferedOutput<'rules/list-template-words'>['filters'][number];

function wordOf({ name, signature, description }: Word): TemplateWord {
  return { name, detail: description === '' ? signature.slice(name.length) : description };
}
