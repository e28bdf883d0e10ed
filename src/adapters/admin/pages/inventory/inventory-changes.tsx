import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Badge, Button, Group, List, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { makerText } from '../hosts/history-words.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { moreText } from '../language/more-text.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { Changes } from '../parts/changes.tsx';
import { TextLink } from '../parts/links.tsx';
import { PagesOf } from '../parts/pager.tsx';
import { usePreferences } from '../parts/preferences.ts';
import { SearchField } from '../parts/search-field.tsx';
import { Section } from '../parts/section.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { RulePageLink } from '../rules/rule-page-link.tsx';
import { sinceInZone } from './since-in-zone.ts';

type Difference = OfferedOutput<'inventory/compare-times'>;
type HostDifference = Difference['details'][number];

const route = getRouteApi('/inventory/$provider');

const MOST_HOSTS = 500;
/** Groups of a host, and members that changed, that are named at first. */
const SHOWN = 8;
/** Comparing renders every host twice, so a recent answer is only requested again by the button. */
const FRESH_SECONDS = 300;

const SPANS: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'today', label: t`the beginning of today` },
  { value: 'yesterday', label: t`the beginning of yesterday` },
  { value: '24h', label: t`24 hours ago` },
  { value: '7d', label: t`7 days ago` },
  { value: '30d', label: t`30 days ago` },
];
const OTHER = '';

/** Shows the entries of an inventory that it did not have at an earlier time. */
export function InventoryChanges({ since }: { readonly since: string }) {
  const { provider } = route.useParams();
  const { search: text = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { zone } = usePreferences();
  const difference = useAnswer(
    'inventory/compare-times',
    { provider, since: sinceInZone(since, zone), text, limit: MOST_HOSTS },
    { freshSeconds: FRESH_SECONDS },
  );
  return (
    <>
      <Group align="flex-end" gap="sm">
        <ChooseTime
          key={since}
          since={since}
          onSince={(next) => void navigate({ search: (now) => ({ ...now, since: next }) })}
        />
        <SearchField
          label={t`Find hosts`}
          placeholder={t`part of a hostname`}
          w={280}
          maw="100%"
          value={text}
          onSearch={(next) => void navigate({ search: { since, search: next || undefined }, replace: true })}
        />
        <Button variant="default" loading={difference.isFetching} onClick={() => void difference.refetch()}>
          <Trans>Compare again</Trans>
        </Button>
      </Group>
      <Answer of={difference}>
        {(answer) => (
          <Stack gap="md" aria-busy={difference.isPlaceholderData} opacity={difference.isPlaceholderData ? 0.6 : 1}>
            <Outcome of={answer} />
          </Stack>
        )}
      </Answer>
    </>
  );
}

interface ChooseTimeProps {
  readonly since: string;
  readonly onSince: (since: string) => void;
}

/** A span of the list, or any time that is typed. */
function ChooseTime({ since, onSince }: ChooseTimeProps) {
  const isListed = SPANS.some(({ value }) => value === since);
  const [isTyping, setTyping] = useState(!isListed);
  const [typed, setTyped] = useState(isListed ? '' : since);
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (typed.trim() !== '') onSince(typed.trim());
      }}
    >
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label={t`Compared with`}
          data={[...SPANS, { value: OTHER, label: t`another time…` }]}
          value={isTyping ? OTHER : since}
          onChange={({ currentTarget: { value } }) => {
            setTyping(value === OTHER);
            if (value !== OTHER) onSince(value);
          }}
        />
        {isTyping && (
          <>
            <TextInput
              label={t`Time, or an age such as 36h`}
              placeholder="2026-01-31T14:00"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Button type="submit" variant="default" disabled={typed.trim() === ''}>
              <Trans>Compare</Trans>
            </Button>
          </>
        )}
      </Group>
    </form>
  );
}

function Outcome({ of: difference }: { readonly of: Difference }) {
  const { group_count: groupCount, rule_count: ruleCount, account_count: accountCount } = difference;
  const { added, removed, changed, details, rules, groups, unknown } = difference;
  const count = added + removed + changed;
  return (
    <>
      <Text role="status">
        {count === 0 ? unchangedText(difference) : sentenceOf(difference)}{' '}
        <Text span inherit c="dimmed">
          <Trans>
            Compared with <When at={difference.since} />.
          </Trans>
        </Text>
      </Text>
      {unknown.length > 0 && (
        <Alert color="yellow" py="xs" title={t`What we don't know about that time`}>
          <List size="sm">
            {unknown.map((line) => (
              <List.Item key={line} className="wrap-anywhere">
                {line}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {ruleCount > 0 && (
        <Section title={changedText(ruleCount - accountCount, accountCount)}>
          <List size="sm">
            {rules.map(({ rule_type: type, id, name, change, time, by }) => (
              <List.Item key={id} className="wrap-anywhere">
                {change === 'removed' ? name : <Changed of={{ type, id, name }} />}{' '}
                <Text span inherit c="dimmed">
                  {type === 'accounts' ? t`account` : type} · {RULE_CHANGES[change]} · {makerText(by)} ·{' '}
                  <When at={time} />
                </Text>
              </List.Item>
            ))}
          </List>
        </Section>
      )}
      {groups.length > 0 && (
        <Section title={plural(groupCount, { one: '# group changed', other: '# groups changed' })}>
          <Group gap="xs">
            {groups.map(({ name, joined, left }) => (
              <Badge key={name} variant="default" tt="none" maw="100%">
                {name} {joined > 0 && <span className="value-after">+{numberText(joined)}</span>}{' '}
                {left > 0 && <span className="value-before">−{numberText(left)}</span>}
              </Badge>
            ))}
          </Group>
        </Section>
      )}
      {details.length > 0 && (
        <section aria-label={t`Hosts`}>
          <Title order={2} size="h4" mb="xs">
            <Trans>Hosts</Trans>
          </Title>
          <PagesOf rows={details} label={t`hosts`} size={20}>
            {(page) => (
              <Stack gap="xs" component="ul" className="plain-list">
                {page.map((host) => (
                  <li key={host.hostname}>
                    <ChangedHost host={host} />
                  </li>
                ))}
              </Stack>
            )}
          </PagesOf>
          {count > details.length && (
            <Text size="sm" c="dimmed">
              {cutText(details.length, count)}
            </Text>
          )}
        </section>
      )}
    </>
  );
}

function changedText(rules: number, accounts: number): string {
  return [
    rules > 0 && plural(rules, { one: '# rule changed', other: '# rules changed' }),
    accounts > 0 && plural(accounts, { one: '# account changed', other: '# accounts changed' }),
  ]
    .filter(Boolean)
    .join(', ');
}

interface ChangedProps {
  readonly of: { readonly type: string; readonly id: string; readonly name: string };
}

/** The rule or the account, with a link to its page. */
function Changed({ of: { type, id, name } }: ChangedProps) {
  if (type !== 'accounts') return <RulePageLink rule={{ type, id }}>{name}</RulePageLink>;
  return (
    <TextLink inherit to="/accounts/$name" params={{ name }}>
      {name}
    </TextLink>
  );
}

const RULE_CHANGES = { created: t`created`, changed: t`changed`, removed: t`removed` } as const;

function cutText(shown: number, all: number): string {
  return t`These are the first ${{ shown: numberText(shown) }} of ${{ all: numberText(all) }}; find hosts by name to see others.`;
}

function unchangedText({ hosts }: Difference): string {
  return plural(hosts, {
    one: 'Nothing differs: # host was looked at.',
    other: 'Nothing differs: # hosts were looked at.',
  });
}

function sentenceOf({ added, removed, changed }: Difference): string {
  return [
    plural(added, { one: '# host added', other: '# hosts added' }),
    plural(removed, { one: '# removed', other: '# removed' }),
    plural(changed, { one: '# changed.', other: '# changed.' }),
  ].join(', ');
}

const KINDS: Readonly<Record<HostDifference['change'], { readonly tone: Tone; readonly label: string }>> = {
  added: { tone: 'good', label: t`added` },
  removed: { tone: 'bad', label: t`removed` },
  changed: { tone: 'quiet', label: t`changed` },
};

function causeOf(by: HostDifference['by']): string {
  if (by.length > 1) return t`by its data and by rules`;
  return by[0] === 'rules' ? t`by rules` : t`by its data`;
}

function ChangedHost({ host }: { readonly host: HostDifference }) {
  const { hostname, change, by, joined, left, changes, change_count: count } = host;
  const [isWhole, setWhole] = useState(false);
  const { tone, label } = KINDS[change];
  const shown = isWhole ? changes : changes.slice(0, SHOWN);
  const known = changes.length;
  const rest = count - known;
  return (
    <Paper withBorder px="sm" py={6} component="article" aria-label={`${hostname}: ${label}`}>
      <Group gap={8}>
        <Text size="sm" component="div">
          <HostLink hostname={hostname} />
        </Text>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <Text size="sm" c="dimmed">
          {causeOf(by)}
        </Text>
        <GroupNames names={joined} sign="+" />
        <GroupNames names={left} sign="−" />
      </Group>
      {shown.length > 0 && <Changes caption={t`Variables of ${hostname} before and after`} changes={shown} />}
      {known > shown.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          {plural(known, { one: 'Show # variable', other: 'Show all # variables' })}
        </Button>
      )}
      {isWhole && rest > 0 && (
        <Text size="xs" c="dimmed">
          {moreText(rest)}
        </Text>
      )}
    </Paper>
  );
}

function GroupNames({ names, sign }: { readonly names: readonly string[]; readonly sign: '+' | '−' }) {
  if (names.length === 0) return null;
  const rest = names.length - SHOWN;
  return (
    <Text size="sm" className={`wrap-anywhere ${sign === '+' ? 'value-after' : 'value-before'}`}>
      {names
        .slice(0, SHOWN)
        .map((name) => `${sign}${name}`)
        .join(' ')}
      {rest > 0 && ` ${moreText(rest)}`}
    </Text>
  );
}
