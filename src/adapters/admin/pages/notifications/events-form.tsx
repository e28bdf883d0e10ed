import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Modal, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { withValue } from '../forms/document.ts';
import { type Draft, DraftProvider } from '../forms/draft.ts';
import { type FormSchema, fieldsOf } from '../forms/schema.ts';
import { SchemaFields } from '../forms/schema-fields.tsx';
import { Answer } from '../parts/answer.tsx';
import { Problem } from '../parts/problem.tsx';
import { problemsByField } from '../parts/problems-by-field.ts';
import { reportWithUndo } from '../parts/report-with-undo.tsx';
import { type NotificationRule, newRule, RULE_TYPE, tickedEvents, withTicked } from './ticked-rules.ts';

interface EventsFormProps {
  readonly receiver: string;
  /** Absent if nothing is ticked yet. */
  readonly rule: NotificationRule | undefined;
  /** Names of all notification rules. */
  readonly names: readonly string[];
  readonly schema: FormSchema;
  /** Titles of events by their idents. */
  readonly titles: ReadonlyMap<string, string>;
  readonly onClose: () => void;
}

/** Offers the events for a receiver as boxes to tick, and saves them as its notification rule. */
export function EventsForm({ rule, names, ...props }: EventsFormProps) {
  const asked = { rule_type: RULE_TYPE, rule: rule?.id ?? '' };
  const stored = useAnswer('rules/show-rule', asked, { enabled: rule !== undefined });
  const { receiver, onClose } = props;
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={t`Events for ${receiver}`} size="lg">
      {rule === undefined ? (
        <Ticks document={newRule(receiver, names)} {...props} />
      ) : (
        <Answer of={stored}>
          {(shown) => <Ticks key={shown.id} stored={shown} document={shown.document} {...props} />}
        </Answer>
      )}
    </Modal>
  );
}

interface TicksProps extends Omit<EventsFormProps, 'rule' | 'names'> {
  readonly document: JsonObject;
  /** Absent for a new rule. */
  readonly stored?: { readonly id: string; readonly version: number };
}

/** Members that the form does not ask for: it belongs to one receiver. */
const NOT_ASKED: ReadonlySet<string> = new Set(['receivers']);

function Ticks({ receiver, schema, titles, document: begun, stored: seen, onClose }: TicksProps) {
  const all = [...titles.keys()];
  // The version stays that of the first display, so that saving cannot overwrite changes by others.
  const [stored] = useState(seen);
  const [document, setDocument] = useState(begun);
  const [ticked, setTicked] = useState(stored === undefined ? [] : tickedEvents(begun, all));
  const save = useAction('rules/save-rule', {
    done: t`${receiver} is notified about the ticked events.`,
    changes: ['rules'],
    // Closed first: the refreshed rule would draw another form.
    onDone: onClose,
    showsProblem: true,
  });
  const back = useAction('rules/revert-rule', { done: t`The events of ${receiver} are back.`, changes: ['rules'] });
  const remove = useAction('rules/remove-rule', {
    changes: ['rules'],
    onDone({ id: rule }) {
      onClose();
      reportWithUndo(t`${receiver} no longer has ticked events.`, () =>
        back.mutate({ rule_type: RULE_TYPE, rule, version: stored?.version ?? 1 }),
      );
    },
    showsProblem: true,
  });
  const { at, elsewhere } = problemsByField(
    save.error ?? remove.error,
    fieldsOf(schema).map(({ name }) => name),
    (path) => path.replace(`${RULE_TYPE}.0.`, '').replace(/\.\d+$/, ''),
  );

  function submit(event: FormEvent): void {
    event.preventDefault();
    const written = withTicked(document, ticked, all);
    // A rule without events would cover all of them.
    if (ticked.length > 0)
      save.mutate({ rule_type: RULE_TYPE, document: written, ...(stored && { version: stored.version }) });
    else if (stored === undefined) onClose();
    else remove.mutate({ rule_type: RULE_TYPE, rule: stored.id });
  }

  const draft = {
    document,
    isReadOnly: false,
    set: (path, value) => setDocument(withValue(document, path, value) as JsonObject),
    problem: ([name]) => at.get(String(name)),
  } satisfies Draft;
  const events = (
    <Checkbox.Group key="events" label={t`Events`} value={[...ticked]} onChange={setTicked} error={at.get('events')}>
      <Stack gap="xs" mt={6}>
        {[...titles].map(([event, title]) => (
          <Checkbox key={event} value={event} label={title} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
  return (
    <DraftProvider value={draft}>
      <form onSubmit={submit}>
        <Stack>
          {elsewhere !== undefined && <Problem error={elsewhere} />}
          <SchemaFields schema={schema} path={[]} size="sm" without={NOT_ASKED} own={{ events: () => events }} />
          <Button type="submit" loading={save.isPending || remove.isPending} style={{ alignSelf: 'start' }}>
            <Trans>Save</Trans>
          </Button>
        </Stack>
      </form>
    </DraftProvider>
  );
}
