import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';
import { Command } from '../parts/value.tsx';

/** Names rules that came from another installation and run nothing for what they match at first. */
export function CountedNote({ type }: { readonly type: string }) {
  const ids = useAnswer('rules/list-counted-rules', { rule_type: type }).data?.ids ?? [];
  const [first] = ids;
  if (first === undefined) return null;
  return (
    <Alert
      color="blue"
      title={plural(
        { count: ids.length },
        { one: '# rule of another installation', other: '# rules of another installation' },
      )}
    >
      <Text size="sm">
        {ids.length === 1 ? (
          <Trans>
            Hosts that it matches when a pass first evaluates it count as fired, and nothing runs for them.{' '}
            <Command>muster playbook fire --dry-run</Command> names the rules and counts their matches before.
          </Trans>
        ) : (
          <Trans>
            Hosts that they match when a pass first evaluates them count as fired, and nothing runs for them.{' '}
            <Command>muster playbook fire --dry-run</Command> names the rules and counts their matches before.
          </Trans>
        )}{' '}
        <TextLink to="/rules/$type/$id" params={{ type, id: first }}>
          {ids.length === 1 ? t`See the rule` : t`See the first of them`}
        </TextLink>
      </Text>
    </Alert>
  );
}
