import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { may, useSession } from '../../calls/session.ts';
import { useAction, useAnswer } from '../../calls/use-call.ts';
import { TextLink } from '../../parts/links.tsx';
import { Problem } from '../../parts/problem.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Value } from '../../parts/value.tsx';
import { valueText } from '../../parts/value-text.ts';
import { HOST_CHANGES, type Host, type Labels } from '../host.ts';
import { writeRefusal } from '../write-refusal.ts';
import { draftsOf, type LabelDraft, labelsOf, problemsOf } from './label-drafts.ts';
import { VALUE_KINDS, ValueFields } from './label-editor.tsx';

/** The rule that holds all corrections. */
const TYPE = 'custom_attributes';
const NAME = 'Corrections';
/** Answers to request again: a correction is a rule, too. */
const CHANGES = [...HOST_CHANGES, 'search', 'rules'] as const;

interface Correction {
  readonly value: Labels[string];
  /** Id of the rule. */
  readonly id: string;
}

/** The corrections that act on the host, by attribute. */
export function useCorrections({ hostname, archived }: Host): ReadonlyMap<string, Correction> {
  const session = useSession();
  const explained = useAnswer(
    'hosts/explain-host',
    { hostname },
    { enabled: archived === null && may(session, 'hosts/explain-host') },
  );
  const rules = explained.data?.hostname === hostname ? explained.data.explanation.rules : [];
  const rule = rules.find(({ type, name }) => type === TYPE && name === NAME);
  return new Map(
    rule?.changes.map(({ name, after }) => [name, { value: after as Labels[string], id: rule.id }] as const),
  );
}

/** Hosts whose labels can be written need no correction. */
export function useMayCorrect(host: Host): boolean {
  const session = useSession();
  const isImported = host.account !== null && host.archived === null && writeRefusal(host) !== undefined;
  return isImported && may(session, 'hosts/correct-host');
}

interface CorrectedProps {
  readonly hostname: string;
  readonly name: string;
  /** Value of the source; `undefined` if it has none. */
  readonly value: Labels[string] | undefined;
  readonly correction: Correction | undefined;
}

/** The value of a label: of the source alone, or the corrected one with that of the source. */
export function LabelValue({ hostname, name, value, correction }: CorrectedProps) {
  if (correction === undefined) return value === undefined ? null : <Value value={value} />;
  const isSame = value !== undefined && valueText(value) === valueText(correction.value);
  return (
    <>
      <Group gap={6}>
        <Value value={correction.value} />
        <StatusBadge tone="quiet">{t`corrected`}</StatusBadge>
      </Group>
      <Text size="xs" c="dimmed" component="div" className="wrap-anywhere">
        {isSame ? (
          <Trans>The source has this value now.</Trans>
        ) : value === undefined ? (
          <Trans>The source has no value.</Trans>
        ) : (
          <Trans>
            Source: <Value value={value} />
          </Trans>
        )}{' '}
        <TextLink inherit to="/rules/$type/$id" params={{ type: TYPE, id: correction.id }}>
          <Trans>Rule {NAME}</Trans>
        </TextLink>
      </Text>
      {isSame && <RemoveCorrection hostname={hostname} name={name} />}
    </>
  );
}

interface RemoveCorrectionProps {
  readonly hostname: string;
  readonly name: string;
  readonly onDone?: () => void;
}

function RemoveCorrection({ hostname, name, onDone }: RemoveCorrectionProps) {
  const session = useSession();
  const remove = useAction('hosts/correct-host', {
    done: t`The correction of ${name} is removed`,
    changes: CHANGES,
    ...(onDone === undefined ? {} : { onDone }),
  });
  if (!may(session, 'hosts/correct-host')) return null;
  return (
    <Button
      {...(onDone === undefined && { size: 'compact-xs' })}
      variant="default"
      loading={remove.isPending}
      onClick={() => remove.mutate({ hostname, attribute: name, remove: true })}
    >
      <Trans>Remove correction</Trans>
    </Button>
  );
}

/** Opens the form for the right value. */
export function Correct(props: CorrectedProps) {
  const [isOpen, setOpen] = useState(false);
  const { hostname, name } = props;
  const label = t`Correct ${name}…`;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        <IconPencil size={15} aria-hidden />
      </ActionIcon>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t`Correct ${name} of ${hostname}`}>
        <CorrectionForm {...props} onEnd={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function CorrectionForm({ hostname, name, value, correction, onEnd }: CorrectedProps & { readonly onEnd: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(name, correction?.value ?? value));
  const [isChecked, setChecked] = useState(false);
  const save = useAction('hosts/correct-host', {
    done: t`${name} is corrected`,
    changes: CHANGES,
    showsProblem: true,
    onDone: onEnd,
  });
  const problems = problemsOf([draft]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    // The page behind the dialog has forms of its own.
    event.stopPropagation();
    setChecked(true);
    if (problems.length === 0) save.mutate({ hostname, attribute: name, value: rightValue(draft) });
  }

  function onEnter(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'Enter' || event.defaultPrevented || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.target.form?.requestSubmit();
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">
          <Trans>
            Every inventory and export gets this value, whatever the next import brings. The labels of the source stay
            as they are.
          </Trans>
        </Text>
        {save.isError && <Problem error={save.error} />}
        <Group align="flex-start" gap="xs">
          <ValueFields
            draft={draft}
            problems={isChecked ? problems : []}
            onChange={setDraft}
            onEnter={onEnter}
            kinds={VALUE_KINDS}
          />
        </Group>
        <Group justify="flex-end">
          {correction !== undefined && <RemoveCorrection hostname={hostname} name={name} onDone={onEnd} />}
          <Button variant="default" onClick={onEnd}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={save.isPending}>
            <Trans>Correct</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function draftOf(name: string, value: Labels[string] | undefined): LabelDraft {
  const [draft] = draftsOf({ [name]: value ?? '' });
  if (draft === undefined) throw new TypeError('a value has a draft');
  return draft;
}

type RightValue = string | number | boolean | (string | number | boolean)[];

/** None of the offered kinds stands for a missing value. */
function rightValue(draft: LabelDraft): RightValue {
  return Object.values(labelsOf([draft]))[0] as RightValue;
}
