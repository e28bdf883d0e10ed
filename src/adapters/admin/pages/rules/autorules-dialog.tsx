import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { showProblem, useAnswer } from '../calls/use-call.ts';
import { useRun } from '../calls/use-run.ts';
import { numberText } from '../language/numbers.ts';
import { TextLink } from '../parts/links.tsx';
import { Problem } from '../parts/problem.tsx';
import { When } from '../parts/when.tsx';
import { AutoruleFaults, MadeRules } from './made-rules.tsx';
import { AUTORULES, CHANGED_BY_RULES, useRuleTypes } from './rule-type.ts';

export type Preview = OfferedOutput<'rules/preview-autorules'>;

export const CHANGES = [...CHANGED_BY_RULES, 'syncer'];

/** One autorule out of all. */
export interface OneAutorule {
  readonly id: string;
  readonly isEnabled: boolean;
}

/** Returns the input for all enabled autorules, or for the given one. */
export function inputOf(autorule: OneAutorule | undefined): { readonly autorule?: string } {
  return autorule === undefined ? {} : { autorule: autorule.id };
}

interface AutorulesDialogProps {
  /** The only one to run; absent: all that are enabled. */
  readonly autorule?: OneAutorule | undefined;
  readonly isRunning: boolean;
  /** Called with the preview that was shown. */
  readonly onRun: (planned: Preview) => void;
  readonly onDone: () => void;
}

/** Shows what autorules would make, then the run; and the rules of earlier runs, with a way to delete them. */
export function AutorulesDialog({ autorule, isRunning, onRun, onDone }: AutorulesDialogProps) {
  const input = inputOf(autorule);
  const preview = useRun('rules/preview-autorules', []);
  const { mutate: look } = preview;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the input is one of its autorule
  useEffect(() => look(input), [look, autorule?.id]);

  const hasNone = useRuleTypes().data?.types.some(({ id, rules }) => id === AUTORULES && rules === 0) ?? false;
  const isLooking = preview.isPending;
  const looked = numberText(preview.progress?.done ?? 0);
  return (
    <Stack>
      <div aria-live="polite">
        {preview.isError && <Problem error={preview.error} />}
        {isLooking && (
          <Text size="sm" c="dimmed">
            <Trans>Working out what a run would make… {looked}</Trans>
          </Text>
        )}
        {preview.data !== undefined &&
          (hasNone ? <NoAutorules /> : <Outcome preview={preview.data} isDisabled={autorule?.isEnabled === false} />)}
      </div>
      {autorule !== undefined && (
        <Text size="xs" c="dimmed">
          <Trans>The preview and the run take the autorule as it is saved.</Trans>
        </Text>
      )}
      {isRunning && <Progress value={100} animated aria-label={t`Autorules run`} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          <Trans>Close</Trans>
        </Button>
        <Button
          loading={isRunning}
          disabled={preview.data === undefined || preview.data.rules === 0 || isLooking}
          onClick={() => preview.data !== undefined && onRun(preview.data)}
        >
          {preview.data === undefined
            ? t`Make rules`
            : preview.data.rules === 0
              ? t`There is nothing to make`
              : t`Make ${plural({ count: preview.data.rules }, { one: '# rule', other: '# rules' })}`}
        </Button>
      </Group>
      <Earlier onDeleted={() => look(input)} />
    </Stack>
  );
}

function NoAutorules() {
  return (
    <Text size="sm">
      <Trans>
        There are no autorules yet, so a run makes nothing.{' '}
        <TextLink inherit to="/rules/$type/new" params={{ type: AUTORULES }}>
          Create the first one
        </TextLink>
      </Trans>
    </Text>
  );
}

interface OutcomeProps {
  readonly preview: Preview;
  /** Whether it is of one autorule that is disabled. */
  readonly isDisabled: boolean;
}

function Outcome({ preview, isDisabled }: OutcomeProps) {
  const { hosts, rules, enabled } = preview;
  if (isDisabled) {
    return (
      <Text size="sm">
        <Trans>This autorule is disabled, so a run makes nothing. Enable it and save it first.</Trans>
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        {rules === 0
          ? t`A run would make no new rule for ${plural(hosts, { one: '# host', other: '# hosts' })}. Rules that exist stay as they are.`
          : t`A run would make ${plural(rules, { one: '# rule', other: '# rules' })} for ${plural(hosts, { one: '# host', other: '# hosts' })}. Rules that exist stay as they are.`}
      </Text>
      {rules > 0 && (
        <Text size="sm">
          {enabled === rules
            ? t`As the body says: ${{ state: stateWords(preview) }}.`
            : t`As the body says: ${{ state: stateWords(preview) }}. A disabled rule has no effect until it is enabled.`}
        </Text>
      )}
      <AutoruleFaults preview={preview} />
      <MadeRules preview={preview} />
    </Stack>
  );
}

/** Describes whether the rules are enabled, and their positions. */
export function stateWords({ rules, enabled, positions }: Preview): string {
  const on = numberText(enabled);
  const off = numberText(rules - enabled);
  const state =
    enabled === rules ? t`all enabled` : enabled === 0 ? t`all disabled` : t`${on} enabled and ${off} disabled`;
  if (positions === null) return state;
  const lowest = numberText(positions.lowest);
  const highest = numberText(positions.highest);
  return lowest === highest ? t`${state}, at position ${lowest}` : t`${state}, at positions ${lowest} to ${highest}`;
}

/** Reports that rules of a run were removed. */
export function reportUndone({ removed }: OfferedOutput<'rules/undo-autorules'>): void {
  const message = t`Deleted ${plural({ count: removed }, { one: '# rule', other: '# rules' })} that the run had made`;
  notifications.show({ message, color: 'green' });
}

/** Shows earlier runs whose rules still have their original form. */
function Earlier({ onDeleted }: { readonly onDeleted: () => void }) {
  const { data } = useAnswer('rules/list-autorules-passes', {});
  const undo = useRun('rules/undo-autorules', CHANGES);
  if (data === undefined || data.passes.length === 0) return null;
  return (
    <section aria-labelledby="earlier-autorules">
      <Title order={3} size="h5" id="earlier-autorules" mb="xs">
        <Trans>Earlier runs</Trans>
      </Title>
      <Stack gap="xs">
        {data.passes.map(({ began_at, rules }) => (
          <Group key={began_at} justify="space-between">
            <Text size="sm">
              <Trans>
                <When at={began_at} />: <Plural value={rules} one="# rule" other="# rules" /> left as they were made
              </Trans>
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              c="red"
              loading={undo.isPending && undo.variables?.began_at === began_at}
              onClick={() =>
                undo.mutate(
                  { began_at },
                  {
                    onError: showProblem,
                    onSuccess(undone) {
                      reportUndone(undone);
                      onDeleted();
                    },
                  },
                )
              }
            >
              <Trans>
                Delete <Plural value={rules} one="# rule" other="# rules" />
              </Trans>
            </Button>
          </Group>
        ))}
      </Stack>
      <Text size="xs" c="dimmed" mt="xs">
        <Trans>Rules that someone changed since are kept. Deleted ones can be restored from the list Deleted.</Trans>
      </Text>
    </section>
  );
}
