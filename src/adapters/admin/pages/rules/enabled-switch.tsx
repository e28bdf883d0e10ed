import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type CallError, call } from '../calls/call.ts';
import { isChanged, showProblem } from '../calls/use-call.ts';
import { tellWithUndo } from '../parts/tell-with-undo.tsx';
import type { FoundRule } from './rule-columns.tsx';
import { CHANGED_BY_RULES } from './rule-type.ts';

interface EnabledSwitchProps {
  readonly type: string;
  readonly rule: FoundRule;
  readonly isReadOnly: boolean;
}

/** Switches a rule on and off, and changes nothing else of what is stored by then. */
export function EnabledSwitch({ type, rule, isReadOnly }: EnabledSwitchProps) {
  const { name } = rule;
  const queries = useQueryClient();
  const change = useMutation<unknown, CallError, boolean>({
    mutationFn: (enabled) => call('rules/switch-rules', { rule_type: type, rules: [rule.id], enabled }),
    onSuccess(_, enabled) {
      tellWithUndo(enabled ? t`${name} is enabled.` : t`${name} is disabled.`, () => change.mutate(!enabled));
      return queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(CHANGED_BY_RULES, queryKey[0]) });
    },
    onError: showProblem,
  });
  const isOn = change.isPending ? change.variables : rule.enabled;
  return (
    <Switch
      size="xs"
      aria-label={t`${name} is enabled`}
      aria-busy={change.isPending}
      checked={isOn}
      disabled={isReadOnly}
      title={isReadOnly ? t`You may only read` : undefined}
      onChange={(event) => !change.isPending && change.mutate(event.currentTarget.checked)}
    />
  );
}
