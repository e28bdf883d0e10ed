import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Autocomplete, Group, SegmentedControl, SimpleGrid, Switch, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { may, useSession } from '../../calls/session.ts';
import { useAnswer } from '../../calls/use-call.ts';
import { Answer } from '../../parts/answer.tsx';
import { changeRows } from '../../parts/change-rows.ts';
import { Changes } from '../../parts/changes.tsx';
import { Page } from '../../parts/page.tsx';
import { Value } from '../../parts/value.tsx';
import type { Host } from '../host.ts';
import { HostLink } from '../host-link.tsx';
import { ByRules } from './by-rules.tsx';
import { ComparedTimes } from './compare-times.tsx';
import { hostDifferences } from './host-differences.ts';
import { ruledDifferences } from './served-differences.ts';

const route = getRouteApi('/hosts/compare');

/** Shows two hosts, or one at two times, and their differences. */
export function ComparePage() {
  const { left, right, with: other = 'host' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={t`Compare hosts`}
      above={[{ to: '/hosts', label: t`Hosts` }]}
      description={
        other === 'host'
          ? t`Current differences between two hosts: labels, inventory, and the results of rules.`
          : t`Changes to a host between two times: labels, inventory, and its type, account and state.`
      }
    >
      <SegmentedControl
        maw={480}
        size="xs"
        aria-label={t`Compare with`}
        data={[
          { value: 'host', label: t`Another host` },
          { value: 'times', label: t`The same host, another time` },
        ]}
        value={other}
        onChange={(value) =>
          void navigate({
            search: (now) => ({ ...now, with: value === 'times' ? 'times' : undefined }),
            replace: true,
          })
        }
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} maw={720}>
        <HostField
          key={`left ${left}`}
          label={t`Host`}
          value={left}
          onChoose={(name) => void navigate({ search: (now) => ({ ...now, left: name }), replace: true })}
        />
        {other === 'host' && (
          <HostField
            key={`right ${right}`}
            label={t`Compared with`}
            value={right}
            onChoose={(name) => void navigate({ search: (now) => ({ ...now, right: name }), replace: true })}
          />
        )}
      </SimpleGrid>
      {other === 'times'
        ? left !== undefined && <Times key={left} hostname={left} />
        : left !== undefined && right !== undefined && <Compared left={left} right={right} />}
    </Page>
  );
}

/** Number of changes that are examined. */
const MOST_CHANGES = 1000;

function Times({ hostname }: { readonly hostname: string }) {
  const history = useAnswer('hosts/host-history', { hostname, limit: MOST_CHANGES });
  return (
    <Answer of={history}>
      {({ changes }) =>
        changes.length === 0 ? (
          <Text size="sm">
            <Trans>Nothing is recorded about this host.</Trans>
          </Text>
        ) : (
          <ComparedTimes changes={changes} />
        )
      }
    </Answer>
  );
}

interface HostFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChoose: (hostname: string | undefined) => void;
}

function HostField({ label, value = '', onChoose }: HostFieldProps) {
  const [text, setText] = useState(value);
  const [sought] = useDebouncedValue(text.trim(), 250);
  const found = useAnswer(
    'search/search-hosts',
    { where: JSON.stringify(sought), limit: 10, inventory: false },
    { enabled: sought !== '' && sought !== value },
  );
  const choose = (name: string): void => onChoose(name.trim() === '' ? undefined : name.trim());
  return (
    <Autocomplete
      label={label}
      placeholder={t`hostname`}
      data={sought === '' ? [] : [...new Set(found.data?.hosts.map(({ hostname }) => hostname) ?? [])]}
      filter={({ options }) => options}
      value={text}
      onChange={setText}
      onOptionSubmit={choose}
      onBlur={() => text.trim() !== value && choose(text)}
      onKeyDown={(event) => event.key === 'Enter' && choose(text)}
    />
  );
}

function Compared({ left, right }: { readonly left: string; readonly right: string }) {
  const one = useAnswer('hosts/show-host', { hostname: left });
  const other = useAnswer('hosts/show-host', { hostname: right });
  const [isWhole, setWhole] = useState(false);
  const isActive = one.data?.archived === null && other.data?.archived === null;
  const isExplained = may(useSession(), 'hosts/explain-host') && isActive;
  const explained = useAnswer('hosts/explain-host', { hostname: left }, { enabled: isExplained });
  const otherExplained = useAnswer('hosts/explain-host', { hostname: right }, { enabled: isExplained });
  const byRules =
    isExplained && explained.data !== undefined && otherExplained.data !== undefined
      ? ruledDifferences(explained.data, otherExplained.data).count
      : 0;
  return (
    <Answer of={one}>
      {(before) => (
        <Answer of={other}>
          {(after) => {
            const differences = hostDifferences(before, after);
            // The same number as the lines below.
            const count = changeRows(differences).length + byRules;
            return (
              <>
                <Group justify="space-between">
                  <Text size="sm" aria-live="polite">
                    {count === 0 ? (
                      <Trans>
                        Nothing differs between <HostLink hostname={left} /> and <HostLink hostname={right} />.
                      </Trans>
                    ) : (
                      <Trans>
                        <Plural value={count} one="# difference" other="# differences" /> between{' '}
                        <HostLink hostname={left} /> and <HostLink hostname={right} />.
                      </Trans>
                    )}
                  </Text>
                  <Switch
                    label={t`Show what is the same`}
                    checked={isWhole}
                    onChange={(event) => setWhole(event.currentTarget.checked)}
                  />
                </Group>
                {differences.length > 0 && (
                  <Changes
                    caption={t`Differences between ${left} and ${right}`}
                    columns={[left, right]}
                    isNeutral
                    changes={differences}
                  />
                )}
                {isWhole && <Same left={before} right={after} />}
                {isExplained && <ByRules left={left} right={right} />}
              </>
            );
          }}
        </Answer>
      )}
    </Answer>
  );
}

function Same({ left, right }: { readonly left: Host; readonly right: Host }) {
  const same = Object.entries(left.labels).filter(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(right.labels[name]),
  );
  if (same.length === 0)
    return (
      <Text size="sm">
        <Trans>They have no label in common.</Trans>
      </Text>
    );
  return (
    <section aria-label={t`Labels that both have`}>
      <dl className="facts">
        {same.map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
