import { plural, t } from '@lingui/core/macro';
import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { may, useSession } from '../../calls/session.ts';
import { TextLink } from '../../parts/links.tsx';
import type { RuleExplanation } from '../explain/explained.ts';

/** So many are named; all of them stand under "Explain". */
const SHOWN = 3;

/** Rules that went wrong on this host: what they set may be missing among its values. */
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
            <Name rule={rule} />: {rule.errors[0]}
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

/** Leads to the rule for who may see rules. */
function Name({ rule: { type, id, name } }: { readonly rule: RuleExplanation }) {
  if (!may(useSession(), 'rules/show-rule')) return name;
  return (
    <TextLink inherit to="/rules/$type/$id" params={{ type, id }}>
      {name}
    </TextLink>
  );
}
