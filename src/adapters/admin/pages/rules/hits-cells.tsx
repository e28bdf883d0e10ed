import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { numberText } from '../language/numbers.ts';
import type { Column } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { noHostHas } from './unchanged.tsx';
import type { Hits, RuleHits } from './use-hits.ts';

/** Columns for the number of hosts that a rule hits and fails on, as far as they are counted. */
export function hitsColumns<Rule extends { readonly rule_type: string; readonly id: string }>({
  counted,
  of,
}: Hits): readonly Column<Rule>[] {
  return [
    {
      id: 'hits',
      header: t`Hosts`,
      alignRight: true,
      cell: (rule) => hitCount(of(rule), counted?.is_exact === true),
    },
    {
      id: 'errors',
      header: t`Errors`,
      alignRight: true,
      cell: (rule) => {
        const failing = of(rule)?.failing ?? 0;
        return failing === 0 ? null : (
          <Text span inherit c="red" fw={600}>
            {numberText(failing)}
          </Text>
        );
      },
    },
  ];
}

/** Zero is only certain once all hosts were examined. Nothing at all if the rule does not run over hosts. */
function hitCount(hits: RuleHits | undefined, isExact: boolean): ReactNode {
  if (hits === undefined || hits.matches === null) return null;
  const count = numberText(hits.matches);
  if (!isExact) {
    return (
      <Text span inherit c="dimmed">
        {hits.matches === 0 ? t`none so far` : t`at least ${count}`}
      </Text>
    );
  }
  if (hits.matches > 0) return count;
  return (
    <div>
      <StatusBadge tone="warning">{t`no host`}</StatusBadge>
      {hits.unknown_attributes.length > 0 && <div className="cell-note">{noHostHas(hits.unknown_attributes)}</div>}
    </div>
  );
}

/** How far the hosts are counted. */
export function CountedSoFar({ hits: { counted, error, isCounting, goOn } }: { readonly hits: Hits }) {
  if (error !== null) return <Problem error={error} />;
  const looked = numberText(counted?.counted ?? 0);
  const all = numberText(counted?.hosts ?? 0);
  return (
    <Group gap="xs">
      {isCounting && <Loader size="xs" aria-hidden />}
      <Text size="sm" c="dimmed" role="status">
        {counted === undefined ? (
          <Trans>Counting hosts…</Trans>
        ) : counted.is_exact ? (
          <Trans>Counted on all {all} hosts</Trans>
        ) : (
          <Trans>
            Counted on {looked} of {all} hosts so far
          </Trans>
        )}
      </Text>
      {counted?.is_exact === false && !isCounting && (
        <Button size="compact-sm" variant="default" onClick={goOn}>
          <Trans>Go on</Trans>
        </Button>
      )}
    </Group>
  );
}
