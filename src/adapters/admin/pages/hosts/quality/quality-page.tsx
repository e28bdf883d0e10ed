import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sumOf } from '../../../../../kit/words/amounts.ts';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { useAnswer } from '../../calls/use-call.ts';
import { numberText } from '../../language/numbers.ts';
import { Answer } from '../../parts/answer.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { Found } from './found.tsx';
import { Duplicates, LabelShares, NamedDifferently, Spellings } from './quality-tables.tsx';

export type Quality = OfferedOutput<'search/report-quality'>;

const route = getRouteApi('/hosts/quality');

const ABOVE = [{ to: '/hosts', label: t`Hosts` }];
/** The most that the service names of each kind. */
const MOST = 1000;
const UNSEEN = [1, 7, 30, 90];
const DEFAULT_UNSEEN = 7;

/** Shows incomplete or doubtful data of hosts. Each number links to the hosts that it counts. */
export function QualityPage() {
  const { unseen = DEFAULT_UNSEEN } = route.useSearch();
  const navigate = route.useNavigate();
  // It examines all hosts, so it is not requested often.
  const report = useAnswer('search/report-quality', { unseen_days: unseen, limit: MOST }, { freshSeconds: 60 });
  return (
    <Page
      title={t`Data quality`}
      above={ABOVE}
      description={report.data === undefined ? t`Covers active hosts` : sizeText(report.data.size)}
      actions={
        <NativeSelect
          size="xs"
          label={t`Unseen after`}
          data={[...new Set([...UNSEEN, unseen])]
            .toSorted((a, b) => a - b)
            .map((days) => ({ value: String(days), label: plural(days, { one: '# day', other: '# days' }) }))}
          value={String(unseen)}
          onChange={({ currentTarget }) => {
            const days = Number(currentTarget.value);
            void navigate({ search: { unseen: days === DEFAULT_UNSEEN ? undefined : days }, replace: true });
          }}
        />
      }
    >
      <Answer of={report}>
        {(quality) => (
          <Stack gap="sm" aria-busy={report.isPlaceholderData} opacity={report.isPlaceholderData ? 0.6 : 1}>
            {!quality.is_exact && (
              <Text size="sm" role="note">
                <Trans>
                  There is too much to look at all of it: numbers are of the first hosts by name, or not all values were
                  compared.
                </Trans>
              </Text>
            )}
            <Section title={t`Seen by sources`}>
              <Sight quality={quality} />
            </Section>
            <Section title={titled(t`Labels`, quality.labels_total)}>
              <LabelShares quality={quality} />
            </Section>
            <Section title={titled(t`Labels named differently`, quality.label_names_total)}>
              <NamedDifferently quality={quality} />
            </Section>
            <Section title={titled(t`Spelled differently`, quality.spellings_total)}>
              <Spellings quality={quality} />
            </Section>
            <Section title={titled(t`May be the same host`, sumOf(quality.duplicates_total))}>
              <Duplicates quality={quality} />
            </Section>
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

function sizeText(size: number): string {
  return t`Covers ${plural(size, { one: '# active host', other: '# active hosts' })}`;
}

function Sight({ quality: { unseen, unowned, unseen_days, silent_sources } }: { readonly quality: Quality }) {
  return (
    <Stack gap={4} component="ul" className="plain-list">
      <Line text={t`Hosts that no source named for ${plural(unseen_days, { one: '# day', other: '# days' })}`}>
        <Found
          of={unseen}
          label={(count) => plural(count, { one: '# host that was not seen', other: '# hosts that were not seen' })}
        />
      </Line>
      <Line text={t`Hosts that belong to no account`}>
        <Found
          of={unowned}
          label={(count) => plural(count, { one: '# host of no account', other: '# hosts of no account' })}
        />
      </Line>
      {silent_sources.map((source) => {
        const { account, last_seen: at } = source;
        return (
          <Line
            key={account}
            text={
              <Trans>
                Silent source <b>{account}</b>, which last named a host <When at={at} />
              </Trans>
            }
          >
            <Found
              of={source}
              label={(count) => t`${plural(count, { one: '# host', other: '# hosts' })} of ${account}`}
            />
          </Line>
        );
      })}
      {silent_sources.length === 0 && (
        <Text component="li" size="sm" c="dimmed">
          <Trans>Each source that has hosts named some of them in this time.</Trans>
        </Text>
      )}
    </Stack>
  );
}

function Line({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) {
  return (
    <Text component="li" size="sm" className="quality-line">
      <span className="wrap-anywhere">{text}</span>
      {children}
    </Text>
  );
}

function titled(title: string, count: number): string {
  return count === 0 ? title : `${title} (${numberText(count)})`;
}
