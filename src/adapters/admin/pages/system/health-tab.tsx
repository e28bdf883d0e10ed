import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { cell } from '../parts/cells.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { checkName } from './check-name.ts';
import { SupportBundle } from './support-bundle.tsx';

type Finding = OfferedOutput<'system/run-doctor'>['findings'][number];

/** Shows the findings of the doctor, with advice. */
export function HealthTab() {
  const checked = useAnswer('system/run-doctor', {}, { everySeconds: 60 });
  return (
    <Answer of={checked}>
      {({ findings }) => {
        const wrong = findings.filter(({ ok }) => !ok).length;
        const warned = findings.filter(({ ok, warning }) => ok && warning).length;
        return (
          <Stack gap="sm">
            <Group justify="space-between">
              <Text size="sm" role="status">
                {summaryOf(wrong, warned, findings.length)}
              </Text>
              <Button size="xs" variant="default" loading={checked.isFetching} onClick={() => void checked.refetch()}>
                <Trans>Check again</Trans>
              </Button>
            </Group>
            <DataTable
              caption={t`Findings`}
              minWidth={560}
              columns={COLUMNS}
              rows={rowsOf(findings)}
              rowKey={({ check, message }) => `${check} ${message}`}
              empty={t`Nothing was checked.`}
            />
            <SupportBundle />
          </Stack>
        );
      }}
    </Answer>
  );
}

const COLUMNS: readonly Column<Finding>[] = [
  cell.text('check', t`Check`, ({ check }) => checkName(check)),
  cell.badge('ok', t`Result`, ({ ok, warning }) => {
    if (!ok) return { tone: 'bad', text: t`failed` };
    return warning ? { tone: 'warning', text: t`check` } : { tone: 'good', text: t`ok` };
  }),
  cell.text('message', t`Finding`, ({ message, commands = [] }) => (
    <Stack gap={6}>
      {message}
      {commands.map((command) => (
        <CopyLine key={command} value={command} label={t`command`} />
      ))}
    </Stack>
  )),
];

function summaryOf(wrong: number, warned: number, all: number): string {
  if (wrong > 0) return t`${wrong} of ${all} checks failed.`;
  if (warned === 0) return t`Everything is fine.`;
  return warned === 1
    ? t`It works, but one finding needs attention.`
    : t`It works, but ${warned} findings need attention.`;
}

/** Sorts problems first; plugins that run are one line, as there are many. */
function rowsOf(findings: readonly Finding[]): readonly Finding[] {
  const isFine = ({ check, ok }: Finding): boolean => ok && check.startsWith('plugin ');
  const count = findings.filter(isFine).length;
  const rows = findings.filter((finding) => !isFine(finding));
  return [
    ...rows.filter(({ ok }) => !ok),
    ...rows.filter(({ ok, warning }) => ok && warning),
    ...rows.filter(({ ok, warning }) => ok && !warning),
    { check: 'plugins', ok: true, message: t`${count} running` },
  ];
}
