import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { When } from '../../parts/when.tsx';
import type { ValueAge } from './use-value-ages.ts';

/** When a label last changed. */
export function LabelAge({ at }: { readonly at: string | undefined }) {
  return at === undefined ? null : <When at={at} />;
}

/** Shows since when a rule sets a value, as far as that is known, and the cause. */
export function RuleAge({ age }: { readonly age: ValueAge | undefined }) {
  if (age === undefined) return null;
  const { since, is_exact: isExact } = age;
  if (!isExact) {
    return (
      <Trans>
        at least since <When at={since} />
      </Trans>
    );
  }
  return (
    <>
      <When at={since} />
      <Text size="xs" c="dimmed">
        {causeText(age)}
      </Text>
    </>
  );
}

function causeText({ by, version }: ValueAge): string {
  switch (by) {
    case 'rule':
      return version === null ? t`the rule changed` : t`rule version ${version}`;
    case 'rules':
      return t`other rules changed`;
    case 'host':
      return t`the host changed`;
    case 'created':
      return t`host created`;
    case null:
      return '';
  }
}
