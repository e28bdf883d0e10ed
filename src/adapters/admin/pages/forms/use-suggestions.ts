import type { OfferedName } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';

/** Names that texts may contain: those named by the schema of a rule type, and values of an attribute. */
export type Offers =
  | 'attribute'
  | 'playbook'
  | 'provider'
  | 'receiver'
  | 'rule_type'
  | 'subject'
  | { readonly valuesOf: string };

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
  const asked = (isWanted: boolean, name: OfferedName) => ({
    enabled: isUsed && isWanted && may(session, name),
    freshSeconds: FRESH_SECONDS,
  });
  const counted = useAnswer(
    'rules/count-attributes',
    valuesOf === '' ? {} : { attribute: valuesOf },
    asked(offers === 'attribute' || valuesOf !== '', 'rules/count-attributes'),
  );
  const playbooks = useAnswer('playbooks/list-playbooks', {}, asked(offers === 'playbook', 'playbooks/list-playbooks'));
  const providers = useAnswer('inventory/list-providers', {}, asked(offers === 'provider', 'inventory/list-providers'));
  const ofAccounts = asked(offers === 'receiver' || offers === 'subject', 'accounts/show-accounts');
  const accounts = useAnswer('accounts/show-accounts', {}, ofAccounts);
  const groups = useAnswer('cron/list-groups', {}, asked(offers === 'subject', 'cron/list-groups'));
  const ofTypes = asked(offers === 'rule_type', 'rules/describe-rule-types');
  const types = useAnswer('rules/describe-rule-types', { schemas: false }, ofTypes);
  if (counted.isPlaceholderData) return NONE;
  if (offers === 'attribute') return onHosts(counted.data?.names);
  if (offers === 'playbook')
    return (playbooks.data?.playbooks ?? []).map(({ file, name }) => ({ value: file, note: name }));
  if (offers === 'provider') return (providers.data?.providers ?? []).map(({ name }) => ({ value: name, note: '' }));
  if (offers === 'receiver')
    return (accounts.data?.accounts ?? [])
      .filter(({ kind }) => kind === 'channel')
      .map(({ name, type }) => ({ value: name, note: type }));
  if (offers === 'subject') {
    const told = (accounts.data?.accounts ?? []).filter(({ kind }) => kind !== 'channel' && kind !== 'sign_in');
    return [...told, ...(groups.data?.groups ?? [])].map(({ name }) => ({ value: name, note: '' }));
  }
  if (offers === 'rule_type') return (types.data?.types ?? []).map(({ id, title }) => ({ value: id, note: title }));
  return onHosts(counted.data?.values);
}

const NONE: readonly Suggestion[] = [];

function onHosts(counts: readonly { readonly text: string; readonly hosts: number }[] = []): readonly Suggestion[] {
  return counts.map(({ text, hosts }) => ({ value: text, note: numberText(hosts) }));
}
