import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';
import { namesLike } from './names-like.ts';

interface EmptyFieldsProps {
  readonly names: readonly string[];
  /** Number of hosts that were written, or would be. */
  readonly hosts: number;
}

/** Named columns that no host has a value for, with the reason. */
export function EmptyFields({ names, hosts }: EmptyFieldsProps) {
  const session = useSession();
  const isAsked = names.length > 0 && may(session, 'search/count-hosts');
  const labels = useAnswer('search/count-hosts', { labels: 1, values: 1 }, { enabled: isAsked }).data?.label_names;
  if (names.length === 0) return null;
  const list = names.join(', ');
  const all = plural(hosts, { one: 'the one host', other: 'all # hosts' });
  return (
    <Alert
      color="yellow"
      py="xs"
      title={names.length === 1 ? t`Column ${list} is empty for ${all}` : t`Columns ${list} are empty for ${all}`}
    >
      {labels === undefined ? (
        <Trans>
          Either the name is misspelt, or a rule renames or removes it; Variables of a host shows what it has.
        </Trans>
      ) : (
        <List size="sm">
          {names.map((name) => (
            <List.Item key={name} className="wrap-anywhere">
              <Reason name={name} labels={labels} />
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

interface ReasonProps {
  readonly name: string;
  /** Labels of hosts, with the number of hosts that have them. */
  readonly labels: readonly { readonly field: string; readonly count: number }[];
}

/** Names served of each host in addition to its labels. */
const OWN_NAMES = ['HOSTNAME'];

function Reason({ name, labels }: ReasonProps) {
  const held = labels.find(({ field }) => field === name);
  if (held !== undefined) return <NotServed name={name} count={held.count} />;
  const like = namesLike(name, [...OWN_NAMES, ...labels.map(({ field }) => field)]).join(', ');
  return like === ''
    ? t`${name}: no host has a label of this name, and no rule sets it.`
    : t`${name}: no host has a label of this name, and no rule sets it. Did you mean ${like}?`;
}

/** Path of the names for which a rule sets another name or value. */
const RENAMED = /\.old_attribute_name$/;

/** Shows a label that hosts have, and that rules of the inventory remove. */
function NotServed({ name, count }: { readonly name: string; readonly count: number }) {
  const session = useSession();
  const isAsked = may(session, 'rules/find-attribute-uses');
  const uses = useAnswer('rules/find-attribute-uses', { attribute: name }, { enabled: isAsked });
  const renaming = (uses.data?.rules ?? []).filter(
    ({ enabled, uses: places }) => enabled && places.some(({ path }) => RENAMED.test(path)),
  );
  return (
    <Text inherit span>
      {t`${name}: ${plural(count, { one: '# host has', other: '# hosts have' })} this label, but the inventory does not serve it under this name.`}{' '}
      {uses.data !== undefined &&
        (renaming.length === 0 ? (
          <Trans>
            No rule renames it, so{' '}
            <TextLink inherit to="/rules/$type" params={{ type: 'automation_filter' }}>
              filter rules
            </TextLink>{' '}
            leave it out.
          </Trans>
        ) : (
          <Trans>A rule renames it, or gives it another value:</Trans>
        ))}
      {renaming.map(({ rule_type: type, id, name: rule }, place) => (
        <span key={id}>
          {place === 0 ? ' ' : ', '}
          <TextLink inherit to="/rules/$type/$id" params={{ type, id }}>
            {rule || id}
          </TextLink>
        </span>
      ))}
    </Text>
  );
}
