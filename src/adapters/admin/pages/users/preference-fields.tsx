import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Select, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { exactText, zoneName } from '../parts/moments.ts';
import { isLanguage, LANGUAGES, setPreferences, usePreferences } from '../parts/preferences.ts';
import { dashboardNames } from '../parts/saved-search.ts';
import { useClock } from '../parts/use-clock.ts';

const ZONES = Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC');

/** How the pages look in this browser; every change counts at once. */
export function PreferenceFields() {
  useClock();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { zone, times, density, shortcuts, language, start } = usePreferences();
  const session = useSession();
  const maySearch = may(session, 'search/list-saved-searches');
  const saved = useAnswer('search/list-saved-searches', {}, { enabled: maySearch });
  const dashboards = dashboardNames(saved.data?.searches ?? []);
  const now = exactText(new Date().toISOString(), zone);
  const clock = zoneName(zone);
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start">
        <Select
          label={t`Language`}
          w={220}
          allowDeselect={false}
          data={[
            { value: 'browser', label: t`As the browser` },
            ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
          ]}
          value={language}
          onChange={(chosen) => {
            setPreferences({ language: isLanguage(chosen) ? chosen : 'browser' });
            // Texts are made once, when a page loads.
            location.reload();
          }}
        />
        <Select
          label={t`Colours`}
          w={220}
          allowDeselect={false}
          data={[
            { value: 'auto', label: t`As the system` },
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` },
          ]}
          value={colorScheme}
          onChange={(chosen) => {
            if (chosen === 'auto' || chosen === 'light' || chosen === 'dark') setColorScheme(chosen);
          }}
        />
        <Select
          label={t`Rows`}
          w={220}
          allowDeselect={false}
          data={[
            { value: 'comfortable', label: t`Comfortable` },
            { value: 'compact', label: t`Compact` },
          ]}
          value={density}
          onChange={(chosen) => setPreferences({ density: chosen === 'compact' ? 'compact' : 'comfortable' })}
        />
        <Select
          label={t`Time zone`}
          w={220}
          allowDeselect={false}
          searchable
          selectFirstOptionOnChange
          limit={100}
          // Typing replaces the zone, to search for another.
          onFocus={(event) => event.currentTarget.select()}
          data={[
            { value: 'browser', label: t`This browser (${{ zone: zoneName('browser') }})` },
            { value: 'utc', label: 'UTC' },
            ...ZONES.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
          ]}
          value={zone}
          onChange={(chosen) => setPreferences({ zone: chosen ?? 'browser' })}
        />
        <Select
          label={t`Times`}
          w={220}
          allowDeselect={false}
          data={[
            { value: 'relative', label: t`How long ago` },
            { value: 'exact', label: t`Exact` },
          ]}
          value={times}
          onChange={(chosen) => setPreferences({ times: chosen === 'exact' ? 'exact' : 'relative' })}
        />
        <Select
          label={t`Single-key shortcuts`}
          w={220}
          allowDeselect={false}
          data={[
            { value: 'on', label: t`On` },
            { value: 'off', label: t`Off` },
          ]}
          value={shortcuts}
          onChange={(chosen) => setPreferences({ shortcuts: chosen === 'off' ? 'off' : 'on' })}
        />
        <Select
          label={t`Start page`}
          w={220}
          allowDeselect={false}
          data={[
            { value: '/', label: t`Overview` },
            ...(maySearch ? [{ value: '/hosts', label: t`Hosts` }] : []),
            ...startsOf(dashboards, start),
          ]}
          value={start}
          onChange={(chosen) => setPreferences({ start: chosen ?? '/' })}
        />
      </Group>
      <Text size="sm" c="dimmed">
        <Trans>
          It is {now} ({clock}). Changes and the overview use days of this zone, searches use days of UTC.
        </Trans>
      </Text>
    </Stack>
  );
}

/** Dashboards as choices; a chosen one that nothing is shown on any more stays a choice. */
function startsOf(dashboards: readonly string[], start: string) {
  const all = dashboards.map((name) => ({ value: `/dashboards/${encodeURIComponent(name)}`, label: name }));
  const isKnown = start === '/' || start === '/hosts' || all.some(({ value }) => value === start);
  return isKnown ? all : [...all, { value: start, label: start }];
}
