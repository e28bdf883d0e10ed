import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { CallError } from '../calls/call.ts';
import { has, may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { flagOf, textOf } from '../forms/document.ts';
import { Changes } from '../parts/changes.tsx';
import { pathWords } from '../parts/path-words.ts';
import { Problem } from '../parts/problem.tsx';
import { useLeaveGuard } from '../parts/use-leave-guard.ts';
import { Conflict } from './conflict.tsx';
import { differences } from './merge.ts';
import { DocumentImpact } from './order/several-impact.tsx';
import { providerOf, useKnownProjects } from './projects.ts';
import { RuleForm } from './rule-form.tsx';
import { CHANGED_BY_RULES, changesHosts, type RuleTypeInfo, servesInventory, switchesHosts } from './rule-type.ts';
import { SeeEffect } from './see-effect.tsx';
import { TryRule } from './try-rule.tsx';
import { useRuleDraft } from './use-draft.ts';

interface RuleEditorProps {
  readonly type: RuleTypeInfo;
  readonly document: JsonObject;
  /** Its id and the version that is stored now; absent for a new rule. */
  readonly id?: string;
  readonly version?: number;
  readonly onSaved?: (saved: OfferedOutput<'rules/save-rule'>) => void;
}

/** A rule that can be changed, tried out and saved. */
export function RuleEditor({ type, document, id, version, onSaved }: RuleEditorProps) {
  const session = useSession();
  const mayChange = may(session, 'rules/save-rule') && type.refusal === null;
  const showsEffect = may(session, 'inventory/compare-times') && servesInventory(type);
  const projects = useKnownProjects();
  const queries = useQueryClient();
  const form = useRef<HTMLDivElement>(null);
  const [edited, setEdited] = useState(version);
  /** Document at the time when editing began. */
  const [base, setBase] = useState(document);
  const [isCompared, setCompared] = useState(false);
  const [isMerged, setMerged] = useState(false);
  const saveButton = useRef<HTMLButtonElement>(null);
  const save = useAction('rules/save-rule', {
    changes: CHANGED_BY_RULES,
    showsProblem: true,
  });
  // Input during a save would look like a change to the version saved by another user.
  const draft = useRuleDraft(document, !mayChange || save.isPending);
  const { isChanged } = draft;
  useLeaveGuard(isChanged);

  function follow(): void {
    setMerged(false);
    setEdited(version);
    setBase(document);
    draft.reset(document);
  }

  /** Continues from the stored version, with the changes made here; earlier refusals are cleared. */
  function merge(next: JsonObject): void {
    save.reset();
    setEdited(version);
    setBase(document);
    draft.reset(document);
    draft.replace(next);
    setMerged(true);
    saveButton.current?.focus({ preventScroll: true });
  }

  // Others may save the same rule. An unchanged form follows; a changed one stays, with a note.
  const isOld = version !== edited;
  useEffect(() => {
    if (isOld && !isChanged && !save.isPending) follow();
  });

  function submit(): void {
    const since = new Date();
    const { document: written } = draft;
    const unnamed = unnamedConditions(written);
    if (unnamed.length > 0) {
      const details = unnamed.map((path) => ({ path, message: t`name the attribute; without a name it never holds` }));
      complain(new CallError({ code: 'invalid_input', message: t`a condition has no attribute`, details }));
      return;
    }
    save.mutate(
      { rule_type: type.id, document: written, ...(edited === undefined ? {} : { version: edited }) },
      {
        onSuccess(saved) {
          report(saved, written, since);
          setMerged(false);
          draft.accept();
          onSaved?.(saved);
        },
        onError(error) {
          complain(error);
          if (error.code === 'conflict') void queries.invalidateQueries({ queryKey: ['rules/show-rule'] });
        },
      },
    );
  }

  /** Assigns errors to their fields, and moves the focus to the first of them. */
  function complain(error: CallError): void {
    draft.complain(error, `${type.id}.0`);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }

  function report({ id, warnings }: OfferedOutput<'rules/save-rule'>, written: JsonObject, since: Date): void {
    const said = [t`The rule is saved.`, ...warnings.map(({ path, message }) => `${path}: ${message}.`)].join(' ');
    const provider = providerOf(type, written, projects);
    const message = (
      <>
        {said}{' '}
        {showsEffect && (
          <SeeEffect
            since={since}
            provider={provider}
            rule={{ type: type.id, id }}
            // A failure does not count as success, and stays until it has been read.
            onFailing={() => notifications.update({ id: notification, color: 'red', autoClose: false, message })}
          />
        )}
      </>
    );
    const notification = notifications.show({
      color: 'green',
      ...(showsEffect && { autoClose: EFFECT_MS }),
      message,
    });
  }

  const isTried = changesHosts(type) && type.refusal === null && has(session, 'rules/try-rule');
  const effect = isTried ? <TryRule type={type} draft={draft} /> : null;
  return (
    <Stack gap="lg">
      {isOld && isChanged && !save.isPending && id !== undefined && (
        <Conflict
          type={type.id}
          id={id}
          version={version}
          base={base}
          theirs={document}
          mine={draft.document}
          hasFocus={save.error?.code === 'conflict'}
          onDiscard={follow}
          onMerge={merge}
        />
      )}
      {save.isError && save.error.details.length === 0 && !isOld && <Problem error={save.error} />}
      <div ref={form} className="printed-form">
        <RuleForm type={type} draft={draft} effect={effect} />
      </div>
      {isCompared && isChanged && (
        <Changes
          caption={t`Differences from what is stored`}
          changes={differences(base, draft.document)}
          columns={[t`Stored`, t`Here`]}
          place={pathWords}
        />
      )}
      {version !== undefined && <SwitchNote type={type} base={base} document={draft.document} />}
      {mayChange && (
        <Group gap="xs" className="save-bar">
          <Button ref={saveButton} onClick={submit} loading={save.isPending} disabled={draft.textError !== undefined}>
            {version === undefined ? t`Create rule` : t`Save`}
          </Button>
          {version !== undefined && (
            <>
              <Button variant="default" disabled={!isChanged || save.isPending} onClick={() => draft.reset(document)}>
                <Trans>Undo changes</Trans>
              </Button>
              <Button
                variant="subtle"
                disabled={!isChanged || draft.textError !== undefined}
                aria-expanded={isCompared}
                onClick={() => setCompared(!isCompared)}
              >
                {isCompared ? t`Hide differences` : t`Show differences`}
              </Button>
            </>
          )}
          {isMerged && isChanged && (
            <Text size="sm" role="status">
              <Trans>Yours is on top of theirs now. Nothing is saved until you press Save.</Trans>
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** Time, in ms, to read the number of affected hosts. */
const EFFECT_MS = 20_000;

interface SwitchNoteProps {
  readonly type: RuleTypeInfo;
  readonly base: JsonObject;
  readonly document: JsonObject;
}

/** Shows what saving would change at hosts, if it enables or disables the rule. */
function SwitchNote({ type, base, document }: SwitchNoteProps) {
  const [settled] = useDebouncedValue(document, 600);
  const isOn = flagOf(settled.enabled);
  if (!switchesHosts(type) || isOn === flagOf(base.enabled)) return null;
  return (
    <Alert color="blue" title={isOn ? t`Saving enables this rule` : t`Saving disables this rule`}>
      <DocumentImpact type={type} document={settled} />
    </Alert>
  );
}

/** Returns the paths of conditions on an attribute without a name, which no host has. */
function unnamedConditions({ conditions }: JsonObject): readonly string[] {
  if (!Array.isArray(conditions)) return [];
  return conditions.flatMap((condition: JsonObject, place) =>
    condition.match_type === 'tag' && condition.tag_match === 'equal' && textOf(condition.tag).trim() === ''
      ? [`conditions.${place}.tag`]
      : [],
  );
}
