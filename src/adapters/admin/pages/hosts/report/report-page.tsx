import { t } from '@lingui/core/macro';
import { Autocomplete, Group, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../../calls/use-call.ts';
import { Answer } from '../../parts/answer.tsx';
import { Page } from '../../parts/page.tsx';
import { ReportTable } from '../../parts/report-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { SavedSearches } from '../saved-searches.tsx';

const route = getRouteApi('/hosts/report');
const OWN = ['account', 'type', 'state', 'template', 'folder'];

/** Hosts counted by one field or by two against each other; each number leads to the hosts that it counts. */
export function ReportPage() {
  const { where, rows = 'account', columns } = route.useSearch();
  const navigate = route.useNavigate();
  const labels = useAnswer('search/count-hosts', { labels: 1, values: 1 }, { freshSeconds: 60 });
  const names = [...OWN, ...(labels.data?.label_names ?? []).map(({ field }) => field)];
  const report = useAnswer('search/report-hosts', {
    rows,
    ...(columns === undefined ? {} : { columns }),
    ...(where === undefined ? {} : { where }),
  });
  const choose = (changed: Partial<ReturnType<typeof route.useSearch>>): void =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace: true });
  return (
    <Page
      title={t`Report`}
      above={[{ to: '/hosts', label: t`Hosts` }]}
      description={t`Hosts counted by one field, or by two against each other. Each number leads to its hosts.`}
    >
      <Stack gap="sm">
        <Group align="end">
          <Field
            label={t`Rows`}
            value={rows}
            names={names}
            onChange={(field) => choose({ rows: field || undefined })}
          />
          <Field
            label={t`Columns`}
            value={columns ?? ''}
            names={names}
            onChange={(field) => choose({ columns: field || undefined })}
          />
          <SearchField
            label={t`Only hosts that a search finds`}
            value={where ?? ''}
            onSearch={(text) => choose({ where: text === '' ? undefined : text })}
          />
          <SavedSearches asked={{ where, rows, by: columns }} columns={[]} />
        </Group>
        <Answer of={report}>{(answer) => <ReportTable report={answer} where={where} />}</Answer>
      </Stack>
    </Page>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly onChange: (field: string) => void;
}

function Field({ label, value, names, onChange }: FieldProps) {
  return (
    <Autocomplete
      key={value}
      label={label}
      data={[...new Set(names)]}
      defaultValue={value}
      clearable
      onOptionSubmit={onChange}
      onClear={() => onChange('')}
      onBlur={({ currentTarget }) => currentTarget.value !== value && onChange(currentTarget.value.trim())}
      onKeyDown={(event) => event.key === 'Enter' && onChange(event.currentTarget.value.trim())}
    />
  );
}
