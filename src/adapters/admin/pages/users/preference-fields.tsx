import { Group, Select, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { exactText, zoneName } from '../parts/moments.ts';
import { setPreferences, usePreferences } from '../parts/preferences.ts';
import { useClock } from '../parts/use-clock.ts';

/** How the pages look in this browser; every change counts at once. */
export function PreferenceFields() {
  useClock();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { zone, times, density, shortcuts } = usePreferences();
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start">
        <Select
          label="Colours"
          w={220}
          allowDeselect={false}
          data={[
            { value: 'auto', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          value={colorScheme}
          onChange={(chosen) => {
            if (chosen === 'auto' || chosen === 'light' || chosen === 'dark') setColorScheme(chosen);
          }}
        />
        <Select
          label="Rows"
          w={220}
          allowDeselect={false}
          data={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
          value={density}
          onChange={(chosen) => setPreferences({ density: chosen === 'compact' ? 'compact' : 'comfortable' })}
        />
        <Select
          label="Time zone"
          w={220}
          allowDeselect={false}
          data={[
            { value: 'browser', label: `This browser (${zoneName('browser')})` },
            { value: 'utc', label: 'UTC' },
          ]}
          value={zone}
          onChange={(chosen) => setPreferences({ zone: chosen === 'utc' ? 'utc' : 'browser' })}
        />
        <Select
          label="Times"
          w={220}
          allowDeselect={false}
          data={[
            { value: 'relative', label: 'How long ago' },
            { value: 'exact', label: 'Exact' },
          ]}
          value={times}
          onChange={(chosen) => setPreferences({ times: chosen === 'exact' ? 'exact' : 'relative' })}
        />
        <Select
          label="Single-key shortcuts"
          w={220}
          allowDeselect={false}
          data={[
            { value: 'on', label: 'On' },
            { value: 'off', label: 'Off' },
          ]}
          value={shortcuts}
          onChange={(chosen) => setPreferences({ shortcuts: chosen === 'off' ? 'off' : 'on' })}
        />
      </Group>
      <Text size="sm" c="dimmed">
        It is {exactText(new Date().toISOString(), zone)} ({zoneName(zone)}). Days in searches and in "today" are those
        of UTC.
      </Text>
    </Stack>
  );
}
