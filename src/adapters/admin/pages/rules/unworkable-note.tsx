import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { moreText } from '../language/more-text.ts';
import { TextLink } from '../parts/links.tsx';
import { pathWords } from '../parts/path-words.ts';

/** Number of rules named in a note. */
const NAMED = 10;

/** Lists rules of the type that are stored as in an existing installation and cannot work here. */
export function UnworkableNote({ type }: { readonly type: string }) {
  const rules = useAnswer('rules/list-unworkable-rules', { rule_type: type }).data?.rules ?? [];
  if (rules.length === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle />}
      p="xs"
      title={plural({ count: rules.length }, { one: '# rule cannot work', other: '# rules cannot work' })}
    >
      <List size="sm">
        {rules.slice(0, NAMED).map(({ id, name, problems }) => (
          <List.Item key={id} className="wrap-anywhere">
            <TextLink size="sm" to="/rules/$type/$id" params={{ type, id }}>
              {name || id}
            </TextLink>
            : {reasonsOf(problems)}
          </List.Item>
        ))}
      </List>
      {rules.length > NAMED && <Text size="sm">{moreText(rules.length - NAMED)}</Text>}
    </Alert>
  );
}

type Problems = OfferedOutput<'rules/show-rule'>['problems'];

/** Why this rule cannot work. */
export function CannotWork({ problems }: { readonly problems: Problems }) {
  if (problems.length === 0) return null;
  return (
    <Alert color="yellow" mb="md" icon={<IconAlertTriangle />} title={t`Cannot work`}>
      <Text size="sm" className="wrap-anywhere">
        {reasonsOf(problems)}
      </Text>
      <Text size="sm">
        <Trans>It is stored as in the existing installation. Correct it, or leave it disabled.</Trans>
      </Text>
    </Alert>
  );
}

function reasonsOf(problems: Problems): string {
  return problems.map(({ path, message }) => `${pathWords(path)} ${message}`.trim()).join('; ');
}
