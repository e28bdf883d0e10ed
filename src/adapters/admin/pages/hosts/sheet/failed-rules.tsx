import { plural, t } from '@lingui/core/macro';
import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { TextLink } from '../../parts/links.tsx';
import type { RuleExplanation } from '../explain/explained.ts';
import { RuleTitle } from '../explain/rule-title.tsx';

/** Number of rules that are named; "Explain" lists all of them. */
const SHOWN = 3;

/** Shows rules that failed on this host: values that they set may be missing. */
export function FailedRules({ rules }: { readonly rules: readonly RuleExplanation[] }) {
  const failed = rules.filter(({ errors }) => errors.length > 0);
  if (failed.length === 0) return null;
  return (
    <Alert
      role="note"
      color="orange"
      icon={<IconAlertTriangle aria-hidden />}
      p="xs"
      mb="xs"
      title={plural(failed.length, { one: '# rule fails on this host', other: '# rules fail on this host' })}
    >
      <Stack gap={2}>
        {failed.slice(0, SHOWN).map((rule) => (
          <Text key={`${rule.type} ${rule.id}`} size="sm" component="div" className="wrap-anywhere">
            <RuleTitle rule={rule} />: {rule.errors[0]}
          </Text>
        ))}
        {failed.length > SHOWN && <Text size="sm">{t`and ${{ count: failed.length - SHOWN }} more`}</Text>}
        <TextLink size="sm" from="/hosts/$hostname" to="/hosts/$hostname" search={{ tab: 'explain' }}>
          {t`All that rules did with it`}
        </TextLink>
      </Stack>
    </Alert>
  );
}
