import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, List, Modal, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallError, call } from '../../calls/call.ts';
import { download } from '../../calls/download.ts';
import { isChanged, showProblem, useAnswer } from '../../calls/use-call.ts';
import { moreText } from '../../language/more-text.ts';
import { numberText } from '../../language/numbers.ts';
import { reportWithUndo } from '../../parts/report-with-undo.tsx';
import type { FoundRule } from '../rule-columns.tsx';
import { CHANGED_BY_RULES, isRemovable, isSwitched, type RuleTypeInfo } from '../rule-type.ts';
import { SeveralImpact } from './several-impact.tsx';
import { useMove } from './use-move.tsx';

/** Number of rules that one call accepts. */
const MOST = 1000;
const NAMED = 10;

/** Actions that need confirmation. */
type Question = 'enable' | 'disable' | 'delete';

const QUESTIONS: Readonly<Record<Question, (count: number) => string>> = {
  enable: (count) => t`Enable ${plural(count, { one: '# rule', other: '# rules' })}?`,
  disable: (count) => t`Disable ${plural(count, { one: '# rule', other: '# rules' })}?`,
  delete: (count) => t`Delete ${plural(count, { one: '# rule', other: '# rules' })}?`,
};
const VERBS: Readonly<Record<Question, (count: number) => string>> = {
  enable: (count) => t`Enable ${plural(count, { one: '# rule', other: '# rules' })}`,
  disable: (count) => t`Disable ${plural(count, { one: '# rule', other: '# rules' })}`,
  delete: (count) => t`Delete ${plural(count, { one: '# rule', other: '# rules' })}`,
};
const WHAT_IT_DOES: Readonly<Record<Question, string>> = {
  enable: t`They have their effect at once.`,
  disable: t`They stop having any effect at once, and stay as they are.`,
  delete: t`They stop having any effect at once. Their history stays: the list Deleted can restore each of them.`,
};

const SWITCHES = [
  { act: 'enable', label: t`Enable…` },
  { act: 'disable', label: t`Disable…` },
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

/** Actions on all selected rules at once. */
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
    <Group gap="xs" role="group" aria-label={t`Selection`} mih={32}>
      <Text size="sm" aria-live="polite">
        {selected.size === 0 ? t`None selected` : t`${{ count: numberText(selected.size) }} selected`}
      </Text>
      {isWhole ? (
        <Button size="compact-sm" variant="subtle" loading={all.isPending} onClick={() => all.mutate()}>
          <Trans>Select all that match</Trans>
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => select([...selected, ...page.map(({ id }) => id)].slice(0, MOST))}
        >
          <Trans>Select this page</Trans>
        </Button>
      )}
      {selected.size > 0 && (
        <>
          <Button size="compact-sm" variant="subtle" onClick={() => select([])}>
            <Trans>Select none</Trans>
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
                {label}
              </Button>
            ))}
          {canDelete && (
            <Button size="compact-sm" variant="default" onClick={() => setQuestion('move')}>
              <Trans>Move…</Trans>
            </Button>
          )}
          <Button size="compact-sm" variant="default" loading={save.isPending} onClick={() => save.mutate()}>
            <Trans>Export</Trans>
          </Button>
          {canDelete && (
            <Button size="compact-sm" variant="default" c="red" onClick={() => setQuestion('delete')}>
              <Trans>Delete…</Trans>
            </Button>
          )}
        </>
      )}
      <Modal
        opened={asked !== undefined}
        onClose={() => setQuestion(undefined)}
        title={asked === undefined ? '' : QUESTIONS[asked](selected.size)}
      >
        <Stack>
          <Text size="sm">{asked === undefined ? '' : WHAT_IT_DOES[asked]}</Text>
          <Named rules={page.filter(({ id }) => selected.has(id))} count={selected.size} />
          {asked !== undefined && <SeveralImpact of={[{ type, rules }]} enabled={asked === 'enable'} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setQuestion(undefined)}>
              <Trans>Cancel</Trans>
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
              {asked === undefined ? '' : VERBS[asked](selected.size)}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <Modal
        opened={question === 'move'}
        onClose={() => setQuestion(undefined)}
        title={t`Move ${plural({ count: selected.size }, { one: '# rule', other: '# rules' })}`}
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
      {count > shown.length && <Text size="sm">{moreText(count - shown.length)}</Text>}
    </>
  );
}

const PLACES = [
  { value: 'first', label: t({ message: 'First', context: 'place of a rule' }) },
  { value: 'before', label: t({ message: 'Before', context: 'place of a rule' }) },
  { value: 'after', label: t({ message: 'After', context: 'place of a rule' }) },
  { value: 'last', label: t({ message: 'Last', context: 'place of a rule' }) },
];

interface MoveFormProps {
  readonly type: RuleTypeInfo;
  readonly selected: ReadonlySet<string>;
  readonly onDone: () => void;
}

/** Asks for the target place among all rules of the type, which may be more than a page. */
function MoveForm({ type, selected, onDone }: MoveFormProps) {
  const [side, setSide] = useState('first');
  const [at, setAt] = useState<string | null>(null);
  const all = useAnswer('rules/find-rules', { rule_type: type.id, limit: MOST });
  const move = useMove(type);
  const rules = all.data?.rules ?? [];
  const others = rules.filter(({ id }) => !selected.has(id));
  const needsRule = side === 'before' || side === 'after';

  function submit(): void {
    const place = needsRule ? { [side]: at ?? '' } : { to: side === 'first' ? ('first' as const) : ('last' as const) };
    const taken = rules.filter(({ id }) => selected.has(id));
    move.mutate(
      {
        step: { rules: [...selected], place },
        said: t`Moved ${plural({ count: selected.size }, { one: '# rule', other: '# rules' })}.`,
        provider: taken[0]?.project ?? undefined,
      },
      { onSuccess: onDone },
    );
  }

  return (
    <Stack>
      <Text size="sm">
        <Trans>They keep the order that they have among themselves.</Trans>
      </Text>
      <SegmentedControl data={PLACES} value={side} onChange={setSide} aria-label={t`New position`} />
      {needsRule && (
        <Select
          label={side === 'before' ? t`Before this rule` : t`After this rule`}
          searchable
          limit={50}
          data={others.map(({ id, name, sort_field }) => ({ value: id, label: `${sort_field}  ${name || id}` }))}
          value={at}
          onChange={setAt}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          <Trans>Cancel</Trans>
        </Button>
        <Button loading={move.isPending} disabled={needsRule && at === null} onClick={submit}>
          <Trans>Move</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

type Act = 'enable' | 'disable' | 'delete' | 'restore';

interface Several {
  readonly act: Act;
  readonly rules: readonly string[];
  /** Versions of deleted rules, by their place in `rules`. */
  readonly versions?: readonly number[];
}

const DONE: Readonly<Record<Act, (count: number) => string>> = {
  enable: (count) => t`Enabled ${plural(count, { one: '# rule', other: '# rules' })}`,
  disable: (count) => t`Disabled ${plural(count, { one: '# rule', other: '# rules' })}`,
  delete: (count) => t`Deleted ${plural(count, { one: '# rule', other: '# rules' })}`,
  restore: (count) => t`Restored ${plural(count, { one: '# rule', other: '# rules' })}`,
};

/** Words for rules that needed no change. */
const HAD_BEEN: Readonly<Record<'enable' | 'disable', (count: number) => string>> = {
  enable: (count) => t`${plural(count, { one: '# rule', other: '# rules' })} had been enabled already`,
  disable: (count) => t`${plural(count, { one: '# rule', other: '# rules' })} had been disabled already`,
};

/** Does it, reports the result, and offers to undo it. */
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
      const said = DONE[act](back.rules.length);
      const isSwitch = act === 'enable' || act === 'disable';
      reportWithUndo(left > 0 && isSwitch ? `${said}; ${HAD_BEEN[act](left)}` : said, () => run.mutate(back));
    },
    onError: showProblem,
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(CHANGED_BY_RULES, queryKey[0]) }),
  });
  return run;
}
