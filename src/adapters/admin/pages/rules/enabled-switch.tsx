import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Modal, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallError, call } from '../calls/call.ts';
import { isChanged, showProblem } from '../calls/use-call.ts';
import { reportWithUndo } from '../parts/report-with-undo.tsx';
import { SeveralImpact } from './order/several-impact.tsx';
import { CHANGED_BY_RULES, type RuleTypeInfo, switchesHosts } from './rule-type.ts';

interface EnabledSwitchProps {
  readonly type: RuleTypeInfo;
  readonly rule: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly isReadOnly: boolean;
}

/** Switches a rule on and off, after showing the affected hosts, and changes nothing else of the document stored by then. */
export function EnabledSwitch({ type, rule, isReadOnly }: EnabledSwitchProps) {
  const { name } = rule;
  const [asked, setAsked] = useState<boolean>();
  const queries = useQueryClient();
  const change = useMutation<unknown, CallError, boolean>({
    mutationFn: (enabled) => call('rules/switch-rules', { rule_type: type.id, rules: [rule.id], enabled }),
    onSuccess(_, enabled) {
      reportWithUndo(enabled ? t`${name} is enabled.` : t`${name} is disabled.`, () => change.mutate(!enabled));
      return queries.invalidateQueries({ predicate: ({ queryKey }) => isChanged(CHANGED_BY_RULES, queryKey[0]) });
    },
    onError: showProblem,
  });
  const isOn = change.isPending ? change.variables : rule.enabled;

  function flip(enabled: boolean): void {
    if (change.isPending) return;
    if (switchesHosts(type)) setAsked(enabled);
    else change.mutate(enabled);
  }

  if (isReadOnly) {
    return (
      <Badge size="sm" variant="light" color={rule.enabled ? 'green' : 'gray'} title={t`You may only read`}>
        {rule.enabled ? t`enabled` : t`disabled`}
      </Badge>
    );
  }
  return (
    <>
      <Switch
        size="xs"
        aria-label={t`${name} is enabled`}
        aria-busy={change.isPending}
        checked={isOn}
        onChange={(event) => flip(event.currentTarget.checked)}
      />
      <Modal
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked === true ? t`Enable ${name}?` : t`Disable ${name}?`}
      >
        {asked !== undefined && (
          <Stack>
            <Text size="sm">
              {asked ? t`It applies immediately.` : t`It stops applying immediately. Nothing is deleted.`}
            </Text>
            <SeveralImpact of={[{ type, rules: [rule.id] }]} enabled={asked} />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsked(undefined)}>
                <Trans>Cancel</Trans>
              </Button>
              <Button
                data-autofocus
                onClick={() => {
                  setAsked(undefined);
                  change.mutate(asked);
                }}
              >
                {asked ? t`Enable` : t`Disable`}
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
