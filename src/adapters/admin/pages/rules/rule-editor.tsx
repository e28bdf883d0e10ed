import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { Problem } from '../parts/problem.tsx';
import { useLeaveGuard } from '../parts/use-leave-guard.ts';
import { RuleForm } from './rule-form.tsx';
import { CHANGED_BY_RULES, changesHosts, type RuleTypeInfo } from './rule-type.ts';
import { TryRule } from './try-rule.tsx';
import { useRuleDraft } from './use-draft.ts';

interface RuleEditorProps {
  readonly type: RuleTypeInfo;
  readonly document: JsonObject;
  /** The version that is stored now; absent for a new rule. */
  readonly version?: number;
  readonly onSaved?: (saved: OfferedOutput<'rules/save-rule'>) => void;
}

/** A rule that can be changed, tried out and saved. */
export function RuleEditor({ type, document, version, onSaved }: RuleEditorProps) {
  const mayChange = may(useSession(), 'rules/save-rule') && type.refusal === null;
  const queries = useQueryClient();
  const form = useRef<HTMLDivElement>(null);
  const [edited, setEdited] = useState(version);
  const save = useAction('rules/save-rule', {
    done: ({ warnings }) =>
      ['The rule is saved.', ...warnings.map(({ path, message }) => `${path}: ${message}.`)].join(' '),
    changes: CHANGED_BY_RULES,
    showsProblem: true,
  });
  // What is typed while it is saved would be taken for a change of what somebody else saved.
  const draft = useRuleDraft(document, !mayChange || save.isPending);
  const { isChanged } = draft;
  useLeaveGuard(isChanged);

  function follow(): void {
    setEdited(version);
    draft.reset(document);
  }

  // Others may save the same rule. What nobody changed here follows; what somebody did stays, and says so.
  const isOld = version !== edited;
  useEffect(() => {
    if (isOld && !isChanged && !save.isPending) follow();
  });

  function submit(): void {
    save.mutate(
      { rule_type: type.id, document: draft.document, ...(edited === undefined ? {} : { version: edited }) },
      {
        onSuccess(saved) {
          draft.accept();
          onSaved?.(saved);
        },
        onError(error) {
          draft.complain(error, `${type.id}.0`);
          if (error.code === 'conflict') void queries.invalidateQueries({ queryKey: ['rules/show-rule'] });
          requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
        },
      },
    );
  }

  return (
    <Stack gap="lg">
      {isOld && isChanged && !save.isPending && (
        <Alert color="yellow" icon={<IconAlertTriangle />} title="Someone else has changed this rule" role="alert">
          <Stack align="flex-start" gap="xs">
            Your changes are not saved and cannot overwrite theirs.
            <Button size="xs" variant="default" onClick={follow}>
              Discard mine and show theirs
            </Button>
          </Stack>
        </Alert>
      )}
      {save.isError && save.error.details.length === 0 && !isOld && <Problem error={save.error} />}
      <div ref={form}>
        <RuleForm type={type} draft={draft} />
      </div>
      {changesHosts(type) && type.refusal === null && <TryRule type={type} draft={draft} />}
      {mayChange && (
        <Group gap="xs" className="save-bar">
          <Button onClick={submit} loading={save.isPending} disabled={draft.textError !== undefined}>
            {version === undefined ? 'Create rule' : 'Save'}
          </Button>
          {version !== undefined && (
            <Button variant="default" disabled={!isChanged || save.isPending} onClick={() => draft.reset(document)}>
              Undo changes
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}
