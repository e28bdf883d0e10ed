import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';
import { namesLike } from './names-like.ts';

interface EmptyFieldsProps {
  readonly names: readonly string[];
  /** That were written, or would be. */
  readonly hosts: number;
}

/** Columns that somebody named and that no host has anything for, and why. */
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
  /** Those that hosts have, with how many do. */
  readonly labels: readonly { readonly field: string; readonly count: number }[];
}

function Reason({ name, labels }: ReasonProps) {
  const session = useSession();
  const held = labels.find(({ field }) => field === name);
  if (held === undefined) {
    const like = namesLike(
      name,
      labels.map(({ field }) => field),
    ).join(', ');
    return like === ''
      ? t`${name}: no host has a label of this name, and no rule sets it.`
      : t`${name}: no host has a label of this name, and no rule sets it. Did you mean ${like}?`;
  }
  return (
    <Text inherit span>
      {t`${name}: ${plural(held.count, { one: '# host has', other: '# hosts have' })} this label, but the inventory does not serve it: a rule of the inventory renames it, or leaves it out.`}{' '}
      {may(session, 'rules/find-attribute-uses') && (
        <TextLink inherit to="/rules/uses" search={{ attribute: name }}>
          <Trans>Rules that use it</Trans>
        </TextLink>
      )}
    </Text>
  );
}
