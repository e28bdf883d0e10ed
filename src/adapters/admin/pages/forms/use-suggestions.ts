import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';

/** Names that texts may contain: those named by the schema of a rule type, and values of an attribute. */
export type Offers = 'attribute' | 'playbook' | 'provider' | 'receiver' | 'rule_type' | { readonly valuesOf: string };

export interface Suggestion {
  readonly value: string;
  /** Note in words, such as `on 12 hosts`. */
  readonly note: string;
}

const FRESH_SECONDS = 60;

/** Returns the names to choose from; requested once a field is in use. */
export function useSuggestions(offers: Offers, isUsed: boolean): readonly Suggestion[] {
  const session = useSession();
  const valuesOf = typeof offers === 'object' ? offers.valuesOf : '';
  const counted = useAnswer('rules/count-attributes', valuesOf === '' ? {} : { attribute: valuesOf }, {
    enabled: isUsed && (offers === 'attribute' || valuesOf !== '') && may(session, 'rules/count-attributes'),
    freshSeconds: FRESH_SECONDS,
  });
  const playbooks = useAnswer(
    'playbooks/list-playbooks',
    {},
    {
      enabled: isUsed && offers === 'playbook' && may(session, 'playbooks/list-playbooks'),
      freshSeconds: FRESH_SECONDS,
    },
  );
  const providers = useAnswer(
    'inventory/list-providers',
    {},
    {
      enabled: isUsed && offers === 'provider' && may(session, 'inventory/list-providers'),
      freshSeconds: FRESH_SECONDS,
    },
  );
  const accounts = useAnswer(
    'accounts/show-accounts',
    {},
    {
      enabled: isUsed && offers === 'receiver' && may(session, 'accounts/show-accounts'),
      freshSeconds: FRESH_SECONDS,
    },
  );
  const types = useAnswer(
    'rules/describe-rule-types',
    {},
    {
      enabled: isUsed && offers === 'rule_type' && may(session, 'rules/describe-rule-types'),
      freshSeconds: FRESH_SECONDS,
    },
  );
  if (counted.isPlaceholderData) return NONE;
  if (offers === 'attribute') return onHosts(counted.data?.names);
  if (offers === 'playbook')
    return (playbooks.data?.playbooks ?? []).map(({ file, name }) => ({ value: file, note: name }));
  if (offers === 'provider') return (providers.data?.providers ?? []).map(({ name }) => ({ value: name, note: '' }));
  if (offers === 'receiver')
    return (accounts.data?.accounts ?? [])
      .filter(({ kind }) => kind === 'channel')
      .map(({ name, type }) => ({ value: name, note: type }));
  if (offers === 'rule_type') return (types.data?.types ?? []).map(({ id, title }) => ({ value: id, note: title }));
  return onHosts(counted.data?.values);
}

const NONE: readonly Suggestion[] = [];

function onHosts(counts: readonly { readonly text: string; readonly hosts: number }[] = []): readonly Suggestion[] {
  return counts.map(({ text, hosts }) => ({ value: text, note: numberText(hosts) }));
}
