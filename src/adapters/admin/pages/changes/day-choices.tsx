import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { today, type Zone } from '../parts/moments.ts';
import { dayBefore } from './search.ts';

interface DayChoicesProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly zone: Zone;
  /** Pressing a choice again clears it: neither day is given then. */
  readonly onChoose: (days: { readonly from: string | undefined; readonly to: string | undefined }) => void;
}

/** Times often asked for; days are those of the reader's zone. */
export function DayChoices({ from, to, zone, onChoose }: DayChoicesProps) {
  const day = today(zone);
  const yesterday = dayBefore(day);
  const choices = [
    { label: t`Last 2 hours`, from: '2h', to: undefined },
    { label: t`Today`, from: day, to: undefined },
    { label: t`Yesterday`, from: yesterday, to: yesterday },
    { label: t`Last 7 days`, from: dayBefore(day, 6), to: undefined },
  ];
  return (
    <Group gap="xs" role="group" aria-label={t`When`}>
      {choices.map(({ label, ...days }) => {
        const isChosen = days.from === from && days.to === to;
        return (
          <Button
            key={label}
            size="compact-sm"
            variant={isChosen ? 'light' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? { from: undefined, to: undefined } : days)}
          >
            {label}
          </Button>
        );
      })}
    </Group>
  );
}
