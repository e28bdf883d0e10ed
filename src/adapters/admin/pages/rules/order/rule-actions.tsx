import { Button, Group, List, Modal, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../../../../app/words/amounts.ts';
import { type CallError, call } from '../../calls/call.ts';
import { download } from '../../calls/download.ts';
import { isChanged, showProblem, useAnswer } from '../../calls/use-call.ts';
import { tellWithUndo } from '../../parts/tell-with-undo.tsx';
import type { FoundRule } from '../rule-columns.tsx';
import { CHANGED_BY_RULES, isRemovable, isSwitched, type RuleTypeInfo } from '../rule-type.ts';
import { SeveralImpact } from './several-impact.tsx';
import { type PlaceInput, useMove } from './use-move.ts';

/** One call takes no more. */
const MOST = 1000;
const NAMED = 10;

/** What is asked about before it is done. */
type Question = 'enable' | 'disable' | 'delete';

const VERBS: Readonly<Record<Question, string>> = { enable: 'Enable', disable: 'Disable', delete: 'Delete' };
const WHAT_IT_DOES: Readonly<Record<Question, string>> = {
  enable: 'They have their effect at once.',
  disable: 'They stop having any effect at once, and stay as they are.',
  delete: 'They stop having any effect at once. Their history stays: the list Deleted can restore each of them.',
};

const SWITCHES = [
  { act: 'enable', label: 'Enable' },
  { act: 'disable', label: 'Disable' },
] as const;

interface RuleActionsProps {
  readonly type: RuleTypeInfo;
  readonly selected: ReadonlySet<string>;
  readonly select: (ids: Iterable<string>) => void;
  /** The rules of this page. */
  readonly page: readonly FoundRule[];
  readonly text: string;
  readonly mayChange: boolean;
}

/** What can be done with the selected rules at once. */
export function RuleActions({ type, selected, select, page, text, mayChange }: RuleActionsProps) {
  const [question, setQuestion] = useState<'move' | Question>();
  const run = useSeveral(type);
  const all = useMutation<readonly string[], CallError>({
    mutationFn: async () =>
      (await call('rules/find-rules', { rule_type: type.id, text, limit: MOST })).rules.map(({ id }) => id),
    onSuccess: select,
    onError: showProblem,
  });
  const save = useMutation<void, CallError>({
    mutationFn: () =>
      download('rules/list-rules', { rule_type: type.id, rules: [...selected] }, `${type.id}-${selected.size}.json`),
    onError: showProblem,
  });
  if (page.length === 0) return null;
  const asked = question === 'move' ? undefined : question;
  const rules = [...selected];
  const isWhole = page.every(({ id }) => selected.has(id));
  const canDelete = mayChange && isRemovable(type);
  return (
    <Group gap="xs" role="group" aria-label="Selection" mih={32}>
      <Text size="sm" aria-live="polite">
        {selected.size === 0 ? 'None selected' : `${selected.size.toLocaleString('en')} selected`}
      </Text>
      {isWhole ? (
        <Button size="compact-sm" variant="subtle" loading={all.isPending} onClick={() => all.mutate()}>
          Select all that match
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => select([...selected, ...page.map(({ id }) => id)].slice(0, MOST))}
        >
          Select this page
        </Button>
      )}
      {selected.size > 0 && (
        <>
          <Button size="compact-sm" variant="subtle" onClick={() => select([])}>
            Select none
          </Button>
          {mayChange &&
            isSwitched(type) &&
            SWITCHES.map(({ act, label }) => (
              <Button
                key={act}
                size="compact-sm"
                variant="default"
                loading={run.isPending}
                onClick={() => setQuestion(act)}
              >
                {label}…
              </Button>
            ))}
          {canDelete && (
            <Button size="compact-sm" variant="default" onClick={() => setQuestion('move')}>
              Move…
            </Button>
          )}
          <Button size="compact-sm" variant="default" loading={save.isPending} onClick={() => save.mutate()}>
            Export
          </Button>
          {canDelete && (
            <Button size="compact-sm" variant="default" c="red" onClick={() => setQuestion('delete')}>
              Delete…
            </Button>
          )}
        </>
      )}
      <Modal
        opened={asked !== undefined}
        onClose={() => setQuestion(undefined)}
        title={asked === undefined ? '' : `${VERBS[asked]} ${counted(selected.size, 'rule')}?`}
      >
        <Stack>
          <Text size="sm">{asked === undefined ? '' : WHAT_IT_DOES[asked]}</Text>
          <Named rules={page.filter(({ id }) => selected.has(id))} count={selected.size} />
          {asked !== undefined && <SeveralImpact type={type} rules={rules} enabled={asked === 'enable'} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setQuestion(undefined)}>
              Cancel
            </Button>
            <Button
              {...(asked === 'delete' && { color: 'red' })}
              loading={run.isPending}
              onClick={() => {
                if (asked === undefined) return;
                setQuestion(undefined);
                run.mutate({ act: asked, rules }, { onSuccess: () => asked === 'delete' && select([]) });
              }}
            >
              {asked === undefined ? '' : `${VERBS[asked]} ${counted(selected.size, 'rule')}`}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <Modal
        opened={question === 'move'}
        onClose={() => setQuestion(undefined)}
        title={`Move ${counted(selected.size, 'rule')}`}
      >
        <MoveForm type={type} selected={selected} onDone={() => setQuestion(undefined)} />
      </Modal>
    </Group>
  );
}

function Named({ rules, count }: { readonly rules: readonly FoundRule[]; readonly count: number }) {
  const shown = rules.slice(0, NAMED);
  return (
    <>
      <List size="sm">
        {shown.map(({ id, name }) => (
          <List.Item key={id} className="wrap-anywhere">
            {name || id}
          </List.Item>
        ))}
      </List>
      {count > shown.length && <Text size="sm">and {(count - shown.length).toLocaleString('en')} more</Text>}
    </>
  );
}

const PLACES = [
  { value: 'first', label: 'First' },
  { value: 'before', label: 'Before' },
  { value: 'after', label: 'After' },
  { value: 'last', label: 'Last' },
];

interface MoveFormProps {
  readonly type: RuleTypeInfo;
  readonly selected: ReadonlySet<string>;
  readonly onDone: () => void;
}

/** Where to, among all rules of the type: they may be more than a page. */
function MoveForm({ type, selected, onDone }: MoveFormProps) {
  const [side, setSide] = useState('first');
  const [at, setAt] = useState<string | null>(null);
  const all = useAnswer('rules/find-rules', { rule_type: type.id, limit: MOST });
  const move = useMove(type.id);
  const others = (all.data?.rules ?? []).filter(({ id }) => !selected.has(id));
  const needsRule = side === 'before' || side === 'after';

  function submit(): void {
    const place: PlaceInput = needsRule ? { [side]: at ?? '' } : { to: side === 'first' ? 'first' : 'last' };
    move.mutate({ rules: [...selected], place, said: '' }, { onSuccess: onDone });
  }

  return (
    <Stack>
      <Text size="sm">They keep the order that they have among themselves.</Text>
      <SegmentedControl data={PLACES} value={side} onChange={setSide} aria-label="Where to" />
      {needsRule && (
        <Select
          label={side === 'before' ? 'Before this rule' : 'After this rule'}
          searchable
          limit={50}
          data={others.map(({ id, name, sort_field }) => ({ value: id, label: `${sort_field}  ${name || id}` }))}
          value={at}
          onChange={setAt}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button loading={move.isPending} disabled={needsRule && at === null} onClick={submit}>
          Move
        </Button>
      </Group>
    </Stack>
  );
}

type Act = 'enable' | 'disable' | 'delete' | 'restore';

interface Several {
  readonly act: Act;
  readonly rules: readonly string[];
  /** Of deleted rules, by their place in `rules`. */
  readonly versions?: readonly number[];
}

const DONE: Readonly<Record<Act, string>> = {
  enable: 'Enabled',
  disable: 'Disabled',
  delete: 'Deleted',
  restore: 'Restored',
};

/** Does it, says what was done, and takes it back. */
function useSeveral(type: RuleTypeInfo) {
  const queries = useQueryClient();
  const run = useMutation<Several, CallError, Several>({
    async mutationFn({ act, rules, versions = [] }) {
      const named = { rule_type: type.id, rules: [...rules] };
      if (act === 'restore') {
        for (const [index, rule] of rules.entries()) {
          await call('rules/revert-rule', { rule_type: type.id, rule, version: versions[index] ?? 1 });
        }
        return { act: 'delete', rules };
      }
      if (act === 'delete') {
        const { removed } = await call('rules/remove-rules', named);
        return {
          act: 'restore',
          rules: removed.map(({ id }) => id),
          versions: removed.map(({ version }) => version),
        };
      }
      const enabled = act === 'enable';
      const { changed } = await call('rules/switch-rules', { ...named, enabled });
      return { act: enabled ? 'disable' : 'enable', rules: changed };
    },
    onSuccess(back, { act, rules }) {
      const left = rules.length - back.rules.length;
      const rest =
        left > 0 && act !== 'delete' ? `; ${counted(left, 'rule')} had been ${DONE[act].toLowerCase()} already` : '';
      const said = `${DONE[act]} ${counted(back.rules.length, 'rule')}${rest}`;
      tellWithUndo(said, () => run.mutate(back));
    },
    onError: showProblem,
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(CHANGED_BY_RULES, queryKey[0]) }),
  });
  return run;
}
