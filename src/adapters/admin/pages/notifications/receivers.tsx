import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, type Session, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { textOf } from '../forms/document.ts';
import { fieldsOf, formSchema } from '../forms/schema.ts';
import { AccountLink } from '../parts/account-link.tsx';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { TextLink } from '../parts/links.tsx';
import { List } from '../parts/list.tsx';
import { Problem } from '../parts/problem.tsx';
import { ReceiverTest } from '../parts/receiver-test.tsx';
import { Section } from '../parts/section.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { EventsForm } from './events-form.tsx';
import {
  lastSend,
  type Notification,
  type NotificationRule,
  RULE_TYPE,
  type SortedRules,
  sortRules,
} from './ticked-rules.ts';

export type State = Notification['state'];

export const STATES: Readonly<Record<State, { readonly label: string; readonly tone: Tone }>> = {
  waiting: { label: t`Waiting`, tone: 'busy' },
  sent: { label: t`Sent`, tone: 'good' },
  held_back: { label: t`Held back`, tone: 'quiet' },
  dead: { label: t`Given up`, tone: 'bad' },
};

type Account = OfferedOutput<'accounts/show-accounts'>['accounts'][number];

/** Lists receivers with the result of their last notification and their events. */
export function Receivers() {
  const session = useSession();
  const mayRead = may(session, 'rules/list-rules');
  const accounts = useAnswer('accounts/show-accounts', {}, { enabled: may(session, 'accounts/show-accounts') });
  const types = useAnswer('rules/describe-rule-types', {}, { enabled: mayRead });
  const rules = useAnswer('rules/list-rules', { rule_type: RULE_TYPE }, { enabled: mayRead });
  const waiting = useAnswer('rules/find-rules', { rule_type: RULE_TYPE, limit: 1000 }, { enabled: mayRead });
  const documents = (rules.data as { readonly rules: readonly JsonObject[] } | undefined)?.rules;
  const problem = types.error ?? rules.error ?? waiting.error;
  const [chosen, setChosen] = useState<string>();
  const type = types.data?.types.find(({ id }) => id === RULE_TYPE);
  const refusal = type?.refusal ?? whyNot(session);
  const shown = useMemo(() => {
    const fields = fieldsOf(formSchema(type?.schema ?? {}));
    const events = fields.find(({ name }) => name === 'events');
    const titles = new Map(
      (events?.choices ?? []).map((event, place) => [event, events?.choiceTitles[place] ?? event]),
    );
    const receivers = (accounts.data?.accounts ?? []).filter(({ kind }) => kind === 'channel').map(({ name }) => name);
    return {
      titles,
      ruleColumns: ruleColumns(titles),
      ...sortRules(documents ?? [], receivers, [...titles.keys()]),
      waits: new Set((waiting.data?.rules ?? []).flatMap(({ id, waits }) => (waits ? id : []))),
    };
  }, [accounts.data, type, documents, waiting.data]);
  const isKnown = type !== undefined && documents !== undefined;
  const columns = useMemo(
    (): readonly Column<Account>[] => [
      cell.link('receiver', t`Receiver`, ({ name }) => <AccountLink name={name} />, {
        note: ({ type: id, enabled }) => (enabled ? id : t`${{ id }}, disabled`),
      }),
      { id: 'state', header: t`Last send`, cell: ({ name }) => <LastSend receiver={name} /> },
      {
        id: 'events',
        header: t`Notified about`,
        cell: ({ name }) =>
          isKnown && (
            <Stack gap={6} align="flex-start">
              <ReceiverEvents receiver={name} {...shown} />
              {refusal === undefined && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => setChosen(name)}
                  aria-label={t`Choose events for ${name}`}
                >
                  <Trans>Choose events</Trans>
                </Button>
              )}
            </Stack>
          ),
      },
    ],
    [shown, refusal, isKnown],
  );
  return (
    <>
      <Section title={t`Receivers`}>
        {problem !== null && <Problem error={problem} />}
        <List
          of={accounts}
          caption={t`Receivers`}
          controls={refusal}
          minWidth={600}
          columns={columns}
          rows={({ accounts: all }) => all.filter(({ kind }) => kind === 'channel')}
          rowKey={({ name }) => name}
          empty={t`No receivers yet. Add one, such as mail or a webhook, and choose which events it is notified about.`}
        />
      </Section>
      {shown.others.length > 0 && (
        <Section title={t`Other notification rules`}>
          <Text size="sm" c="dimmed">
            <Trans>
              These rules name several receivers, are disabled, or say what ticks cannot. They are changed in the rule
              editor.
            </Trans>
          </Text>
          <DataTable
            caption={t`Other notification rules`}
            columns={shown.ruleColumns}
            rows={shown.others}
            rowKey={({ id }) => id}
            empty=""
          />
        </Section>
      )}
      {chosen !== undefined && type !== undefined && (
        <EventsForm
          receiver={chosen}
          rule={shown.ticked.get(chosen)}
          names={(documents ?? []).map(({ name }) => textOf(name))}
          schema={formSchema(type.schema)}
          titles={shown.titles}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}

/** Returns the reason why the user cannot choose events; `undefined` if they can. */
function whyNot({ refused }: Session): string | undefined {
  const refusal = refused['rules/save-rule'];
  if (refusal === undefined) return undefined;
  if (refusal.why === 'read_only') return t`You may only read, so you cannot choose events.`;
  return t`Only ${{ whom: refusal.whom }} can choose events.`;
}

/** Shows the result of the last notification to a receiver, and sends a test. */
function LastSend({ receiver }: { readonly receiver: string }) {
  const listed = useAnswer('notifications/list-notifications', { receiver, limit: 100 }, { everySeconds: 30 });
  const last = lastSend(listed.data?.notifications ?? []);
  const isRefused = last?.state === 'waiting' && last.error !== '';
  return (
    <Stack gap={6} align="flex-start">
      {listed.data !== undefined && last === undefined && t`Nothing sent yet`}
      {last !== undefined && (
        <div className="wrap-anywhere">
          <StatusBadge tone={isRefused ? 'bad' : STATES[last.state].tone}>
            {isRefused ? t`Not taken` : STATES[last.state].label}
          </StatusBadge>{' '}
          <When at={last.settled_at ?? last.at} />
          {last.error !== '' && (
            <Text size="sm" c="dimmed">
              {last.error}
            </Text>
          )}
        </div>
      )}
      <ReceiverTest receiver={receiver} />
    </Stack>
  );
}

/** Titles of events by their idents. */
type Titles = ReadonlyMap<string, string>;

interface ReceiverEventsProps extends SortedRules {
  readonly receiver: string;
  readonly titles: Titles;
  /** Ids of rules that wait for an administrator. */
  readonly waits: ReadonlySet<string>;
}

function ReceiverEvents({ receiver, titles, ticked, others, waits }: ReceiverEventsProps) {
  const own = ticked.get(receiver);
  const more = others.filter(({ isEnabled, receivers }) => isEnabled && receivers.includes(receiver));
  return (
    <div className="wrap-anywhere">
      {own !== undefined && <Events of={own} titles={titles} />}
      {own !== undefined && waits.has(own.id) && (
        <Badge color="orange" variant="light">{t`waits for an administrator`}</Badge>
      )}
      {more.map(({ id, name }) => (
        <Text key={id} size="sm">
          <Trans>
            By the rule <RuleLink id={id} name={name} />
          </Trans>
        </Text>
      ))}
      {own === undefined && more.length === 0 && t`Nothing yet`}
    </div>
  );
}

/** Shows the events of a rule by their titles, and its subjects. */
function Events({ of: { events, subjects }, titles }: { readonly of: NotificationRule; readonly titles: Titles }) {
  return (
    <>
      {events.length === 0 ? t`All events` : events.map((event) => titles.get(event) ?? event).join(' · ')}
      {subjects.length > 0 && (
        <Text size="sm" c="dimmed">
          {t`only about ${{ names: subjects.join(', ') }}`}
        </Text>
      )}
    </>
  );
}

function RuleLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <TextLink to="/rules/$type/$id" params={{ type: RULE_TYPE, id }}>
      {name}
    </TextLink>
  );
}

function ruleColumns(titles: Titles): readonly Column<NotificationRule>[] {
  return [
    cell.link('rule', t`Rule`, ({ id, name }) => <RuleLink id={id} name={name} />, {
      note: ({ isEnabled }) => !isEnabled && t`disabled`,
    }),
    cell.text('receivers', t`Receivers`, ({ receivers }) => receivers.join(', ')),
    cell.text('events', t`Events`, (rule) => <Events of={rule} titles={titles} />),
  ];
}
