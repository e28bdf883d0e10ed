import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../calls/use-call.ts';
import { exactText, isoOf, momentAt } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';

const HOURS_AT_FIRST = 4;

interface PauseProps {
  /** Absent: all groups. */
  readonly groups?: string[];
}

/** Pauses groups until a time, or ends their pause. */
export function PauseButton({ groups, pausedUntil }: PauseProps & { readonly pausedUntil: string | null }) {
  const resume = useAction('cron/pause-groups', {
    done: ({ groups: changed }) =>
      plural(changed.length, {
        one: '# group starts by its schedule again',
        other: '# groups start by their schedules again',
      }),
    changes: ['cron'],
  });
  if (pausedUntil !== null) {
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={resume.isPending}
        onClick={() => resume.mutate({ until: null, ...(groups && { groups }) })}
      >
        {groups === undefined ? t`End the pause of all` : t`End the pause`}
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerPause size={16} aria-hidden />}
      onClick={() => {
        const id = modals.open({
          title: groups === undefined ? t`Pause all groups` : t`Pause ${{ name: groups.join(', ') }}`,
          children: <PauseForm {...(groups && { groups })} close={() => modals.close(id)} />,
        });
      }}
    >
      {groups === undefined ? t`Pause all…` : t`Pause…`}
    </Button>
  );
}

function PauseForm({ groups, close }: PauseProps & { readonly close: () => void }) {
  const { zone } = usePreferences();
  const [until, setUntil] = useState(() => {
    const end = new Date(Date.now() + HOURS_AT_FIRST * 3_600_000).toISOString();
    return `${exactText(end, zone).slice(0, 13).replace(' ', 'T')}:00`;
  });
  const pause = useAction('cron/pause-groups', {
    done: ({ groups: changed, paused_until }) => {
      const end = exactText(isoOf(paused_until ?? ''), zone);
      return plural(changed.length, {
        one: `# group is paused until ${end}`,
        other: `# groups are paused until ${end}`,
      });
    },
    changes: ['cron'],
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        pause.mutate({ until: momentAt(until, zone), ...(groups && { groups }) }, { onSuccess: close });
      }}
    >
      <Stack gap="md">
        <TextInput
          type="datetime-local"
          label={t`Until`}
          required
          data-autofocus
          value={until}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          <Trans>
            Schedules start nothing until then. Runs that have begun go on. What webhooks request runs after the pause.
          </Trans>
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={pause.isPending}>
            <Trans>Pause</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
