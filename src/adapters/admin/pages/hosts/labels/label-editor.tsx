import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Autocomplete, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useKnownNames, useKnownValues } from './known-labels.ts';
import {
  emptyLabel,
  emptyScalar,
  type LabelDraft,
  type LabelProblem,
  ofKind,
  type ScalarDraft,
  type ScalarKind,
} from './label-drafts.ts';

interface LabelEditorProps {
  readonly drafts: readonly LabelDraft[];
  readonly onChange: (drafts: readonly LabelDraft[]) => void;
  readonly problems: readonly LabelProblem[];
  /** Words for the effect of Ctrl+Enter. Enter in a value continues with another label, as more may follow. */
  readonly verb: string;
}

const KINDS: readonly { readonly value: ScalarKind; readonly label: string }[] = [
  { value: 'text', label: t`Text` },
  { value: 'number', label: t`Number` },
  { value: 'truth', label: t`True or false` },
  { value: 'nothing', label: t`Null` },
];
/** Kinds without the one for a missing value. */
export const VALUE_KINDS = KINDS.filter(({ value }) => value !== 'nothing');
const LIST = { value: 'list', label: t`List` };

/** Labels as lines of name, value and type. */
export function LabelEditor({ drafts, onChange, problems, verb }: LabelEditorProps) {
  const add = useRef<HTMLButtonElement>(null);
  /** The line whose name gets the focus when it is drawn. */
  const added = useRef<number>(undefined);

  function change(changed: LabelDraft): void {
    onChange(drafts.map((draft) => (draft.id === changed.id ? changed : draft)));
  }

  function addLabel(): void {
    const label = emptyLabel();
    added.current = label.id;
    onChange([...drafts, label]);
  }

  function onEnter(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'Enter' || event.defaultPrevented || !(event.target instanceof HTMLInputElement)) return;
    if (event.ctrlKey || event.metaKey) event.target.form?.requestSubmit();
    else addLabel();
    event.preventDefault();
  }

  return (
    <Stack gap="xs" align="stretch">
      {drafts.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>No labels.</Trans>
        </Text>
      )}
      {drafts.map((draft) => (
        <LabelLine
          key={draft.id}
          draft={draft}
          problems={problems}
          hasFocus={added.current === draft.id}
          onChange={change}
          onEnter={onEnter}
          onRemove={() => {
            onChange(drafts.filter(({ id }) => id !== draft.id));
            add.current?.focus();
          }}
        />
      ))}
      <Group>
        <Button
          ref={add}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={addLabel}
        >
          <Trans>Add label</Trans>
        </Button>
        {drafts.length > 0 && (
          <Text size="xs" c="dimmed">
            <Trans>Enter in a value: another label. Ctrl+Enter: {verb}.</Trans>
          </Text>
        )}
      </Group>
    </Stack>
  );
}

interface LabelLineProps {
  readonly draft: LabelDraft;
  readonly problems: readonly LabelProblem[];
  readonly hasFocus: boolean;
  readonly onChange: (draft: LabelDraft) => void;
  readonly onEnter: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onRemove: () => void;
}

function LabelLine({ draft, problems, hasFocus, onChange, onEnter, onRemove }: LabelLineProps) {
  const { key } = draft;
  const name = key === '' ? t`new label` : key;
  const [isNamed, setNamed] = useState(false);
  const names = useKnownNames(isNamed);

  return (
    <Group align="flex-start" gap="xs" role="group" aria-label={t`Label ${name}`}>
      <Autocomplete
        aria-label={t`Name`}
        placeholder={t`name`}
        flex="2 1 10rem"
        autoFocus={hasFocus}
        data={[...names]}
        limit={20}
        value={key}
        error={problemOf(problems, draft.id, 'key')}
        onFocus={() => setNamed(true)}
        onChange={(changed) => onChange({ ...draft, key: changed })}
      />
      <ValueFields draft={draft} problems={problems} onChange={onChange} onEnter={onEnter} />
      <ActionIcon variant="subtle" color="gray" size="input-sm" aria-label={t`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

interface ValueFieldsProps extends Pick<LabelLineProps, 'draft' | 'problems' | 'onChange'> {
  readonly onEnter?: LabelLineProps['onEnter'];
  readonly kinds?: typeof KINDS;
}

/** The value of a label with its type. */
export function ValueFields({ draft, problems, onChange, onEnter, kinds = KINDS }: ValueFieldsProps) {
  const { key, value, items } = draft;

  function changeKind(kind: string): void {
    const { items: _, ...scalar } = draft;
    if (kind === LIST.value) onChange({ ...scalar, items: items ?? [value] });
    else onChange({ ...scalar, value: ofKind(items?.[0] ?? value, kind as ScalarKind) });
  }

  return (
    <>
      <Stack gap={4} flex="3 1 12rem" onKeyDown={onEnter}>
        {items === undefined ? (
          <ScalarField
            draft={value}
            label={t`Value`}
            name={key}
            problems={problems}
            onChange={(changed) => onChange({ ...draft, value: changed })}
          />
        ) : (
          <ListField
            name={key}
            items={items}
            problems={problems}
            onChange={(changed) => onChange({ ...draft, items: changed })}
          />
        )}
      </Stack>
      <NativeSelect
        aria-label={t`Type`}
        w={140}
        data={[...kinds, LIST]}
        value={items === undefined ? value.kind : LIST.value}
        onChange={(event) => changeKind(event.currentTarget.value)}
      />
    </>
  );
}

interface ListFieldProps {
  /** Name of the label. */
  readonly name: string;
  readonly items: readonly ScalarDraft[];
  readonly problems: readonly LabelProblem[];
  readonly onChange: (items: readonly ScalarDraft[]) => void;
}

function ListField({ name, items, problems, onChange }: ListFieldProps) {
  const add = useRef<HTMLButtonElement>(null);
  return (
    <>
      {items.map((item, index) => {
        const place = index + 1;
        return (
          <Group key={item.id} gap={4} align="flex-start" wrap="nowrap">
            <ScalarField
              draft={item}
              label={t`Value ${place}`}
              name={name}
              problems={problems}
              onChange={(changed) => onChange(items.map((other) => (other.id === item.id ? changed : other)))}
            />
            <NativeSelect
              aria-label={t`Type of value ${place}`}
              w={120}
              data={[...KINDS]}
              value={item.kind}
              onChange={(event) => {
                const kind = event.currentTarget.value as ScalarKind;
                onChange(items.map((other) => (other.id === item.id ? ofKind(item, kind) : other)));
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="input-sm"
              aria-label={t`Remove value ${place}`}
              onClick={() => {
                onChange(items.filter(({ id }) => id !== item.id));
                add.current?.focus();
              }}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        );
      })}
      <div>
        <Button
          ref={add}
          size="compact-xs"
          variant="subtle"
          onClick={() => onChange([...items, { ...emptyScalar(), kind: items.at(-1)?.kind ?? 'text' }])}
        >
          <Trans>Add value</Trans>
        </Button>
      </div>
    </>
  );
}

interface ScalarFieldProps {
  /** Name of the label that has the value. */
  readonly name: string;
  readonly draft: ScalarDraft;
  readonly label: string;
  readonly problems: readonly LabelProblem[];
  readonly onChange: (draft: ScalarDraft) => void;
}

function ScalarField({ draft, label, name, problems, onChange }: ScalarFieldProps) {
  const [isUsed, setUsed] = useState(false);
  const values = useKnownValues(name, isUsed && draft.kind === 'text');
  const { kind, text, truth } = draft;
  if (kind === 'nothing') {
    return (
      <Text c="dimmed" size="sm" lh="36px">
        <Trans>null</Trans>
      </Text>
    );
  }
  if (kind === 'truth') {
    return (
      <NativeSelect
        aria-label={label}
        data={['true', 'false']}
        value={String(truth)}
        onChange={(event) => onChange({ ...draft, truth: event.currentTarget.value === 'true' })}
      />
    );
  }
  return (
    <Autocomplete
      aria-label={label}
      flex={1}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      data={kind === 'text' ? [...values] : []}
      limit={20}
      value={text}
      error={problemOf(problems, draft.id, 'value')}
      onFocus={() => setUsed(true)}
      onChange={(changed) => onChange({ ...draft, text: changed })}
    />
  );
}

function problemOf(problems: readonly LabelProblem[], id: number, part: LabelProblem['part']): string | undefined {
  return problems.find((problem) => problem.id === id && problem.part === part)?.message;
}
