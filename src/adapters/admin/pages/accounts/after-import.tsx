import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';

/** Type of rules that set a name and a value on hosts, as a first rule does. */
const RULE_TYPE = 'custom_attributes';

/**
 * Links to follow after an import has changed hosts: to the hosts, and to the changes, which can be undone there; if there is no
 * rule yet, also to the first one.
 */
export function AfterImport({ account }: { readonly account: string }) {
  const session = useSession();
  const mayRead = may(session, 'runs/list-runs');
  const listed = useAnswer('runs/list-runs', { account, kind: 'import', limit: 1 }, { enabled: mayRead });
  const mayMakeRule = may(session, 'rules/save-rule');
  const types = useAnswer('rules/describe-rule-types', { schemas: false }, { enabled: mayMakeRule });
  const hasNoRule = types.data?.types.every(({ stage, rules }) => stage === null || rules === 0) === true;
  // The latest run from before this import must not be taken for it.
  const run = listed.isFetching ? undefined : listed.data?.runs[0];
  return (
    <Group gap="md">
      <TextLink size="sm" to="/hosts" search={{ account }}>
        <Trans>See the hosts</Trans>
      </TextLink>
      {run !== undefined && (
        <TextLink size="sm" to="/runs/$place" params={{ place: run.place }}>
          <Trans>See what changed, or undo it</Trans>
        </TextLink>
      )}
      {mayMakeRule && hasNoRule && (
        <TextLink size="sm" to="/rules/$type/new" params={{ type: RULE_TYPE }}>
          <Trans>Next: make a rule</Trans>
        </TextLink>
      )}
    </Group>
  );
}
