import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { IconZzz } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OfferedInput, OfferedOutput } from '../../offered-operations.ts';
import { useAction } from '../calls/use-call.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';

type Subject = Pick<Required<OfferedInput<'snoozes/snooze-problem'>>, 'kind' | 'name'>;
export type Snooze = OfferedOutput<'snoozes/list-snoozes'>['snoozes'][number];

/** A problem that needs a person, with the button that solves it. */
export interface Need {
  readonly about: Subject;
  readonly badge: string;
  /** `warning`: it can wait. */
  readonly tone: 'bad' | 'warning';
  /** Grows when the problem gets worse. */
  readonly severity: number;
  readonly name: ReactNode;
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

export function keyOf({ kind, name }: Subject): string {
  return `${kind} ${name}`;
}

const HOURS = [1, 8, 24, 168] as const;

interface NeedRowProps {
  readonly need: Need;
  readonly maySnooze: boolean;
  /** Present if it is snoozed. */
  readonly snooze?: Snooze | undefined;
}

export function NeedRow({
  need: { about, badge, tone, severity, name, text, action },
  maySnooze,
  snooze,
}: NeedRowProps) {
  return (
    <li className="need">
      <StatusBadge tone={snooze === undefined ? tone : 'quiet'}>{badge}</StatusBadge>
      <Text size="sm" className="need-text wrap-anywhere" lineClamp={3}>
        {name}{' '}
        <Text span inherit c="dimmed">
          {snooze === undefined ? text : <SnoozedText snooze={snooze} />}
        </Text>
      </Text>
      <div className="need-action">
        {snooze === undefined ? action : <WakeButton about={about} />}
        {snooze === undefined && maySnooze && <SnoozeMenu about={about} severity={severity} />}
      </div>
    </li>
  );
}

function SnoozedText({ snooze: { by, until } }: { readonly snooze: Snooze }) {
  return (
    <Trans>
      snoozed by {by}, ends <When at={until} />
    </Trans>
  );
}

function SnoozeMenu({ about, severity }: Pick<Need, 'about' | 'severity'>) {
  const snooze = useAction('snoozes/snooze-problem', { changes: ['snoozes'] });
  const labels: Readonly<Record<(typeof HOURS)[number], string>> = {
    1: t`For 1 hour`,
    8: t`For 8 hours`,
    24: t`For a day`,
    168: t`For 7 days`,
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={snooze.isPending}
          aria-label={t`Snooze ${{ what: about.name }}`}
          title={t`Snooze: hide it here until then, or until it gets worse`}
        >
          <IconZzz size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {HOURS.map((hours) => (
          <Menu.Item key={hours} onClick={() => snooze.mutate({ ...about, severity, hours })}>
            {labels[hours]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function WakeButton({ about }: Pick<Need, 'about'>) {
  const end = useAction('snoozes/end-snooze', { changes: ['snoozes'] });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={end.isPending}
      aria-label={t`End the snooze of ${{ what: about.name }}`}
      onClick={() => end.mutate(about)}
    >
      <Trans>End snooze</Trans>
    </Button>
  );
}
