import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Input, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../calls/call.ts';
import { showProblem, useAnswer } from '../../calls/use-call.ts';
import { Editor } from '../../editor/editor.tsx';
import { textOf } from '../../forms/document.ts';
import { useDraft, useMember } from '../../forms/draft.ts';
import { MemberLabel } from '../../forms/member-label.tsx';
import { FoldButton } from '../../parts/fold-button.tsx';
import { Words } from '../../parts/words.tsx';
import { AutoruleTrial } from '../autorule-trial.tsx';
import { useRuleTypes } from '../rule-type.ts';
import { readBody } from './autorule-body.ts';
import { BodyForm } from './body-form.tsx';
import { bodyOfRule } from './body-of-rule.ts';

/** The rule that an autorule makes: by the form of its type, and as a template. It may begin as an existing rule. */
export function BodyField({ description }: { readonly description: ReactNode }) {
  const draft = useDraft();
  const { value, error, isReadOnly, set } = useMember(['rule_body']);
  const { value: ruleType } = useMember(['rule_type']);
  const [isAsked, setAsked] = useState(false);
  const text = textOf(value);
  const body = readBody(text);
  const type = useRuleTypes().data?.types.find(({ id }) => id === textOf(ruleType));
  const hasForm = type !== undefined && type.kept === null && type.export_group !== 'hosts' && body !== undefined;
  const isOpen = isAsked || !hasForm || error !== undefined;
  return (
    <Input.Wrapper
      size="xs"
      required
      labelElement="div"
      label={<MemberLabel title={t`Body of the rules`} name="rule_body" />}
      description={description}
      error={error}
    >
      <Stack gap={6} mt={4}>
        {!isReadOnly && <StartFrom ruleType={textOf(ruleType)} onStart={set} />}
        {hasForm && <BodyForm key={type.id} type={type} body={body} isReadOnly={isReadOnly} onChange={set} />}
        <AutoruleTrial document={draft.document} />
        {hasForm && (
          <div>
            <FoldButton isOpen={isOpen} onToggle={() => setAsked(!isOpen)}>
              <Trans>Body as a template (JSON)</Trans>
            </FoldButton>
          </div>
        )}
        {isOpen && <BodyText text={text} isReadOnly={isReadOnly} isShown={hasForm} onChange={set} />}
      </Stack>
    </Input.Wrapper>
  );
}

interface BodyTextProps {
  readonly text: string;
  readonly isReadOnly: boolean;
  /** Whether a form shows it too. */
  readonly isShown: boolean;
  readonly onChange: (text: string) => void;
}

/** The body as the template that it is. */
function BodyText({ text, isReadOnly, isShown, onChange }: BodyTextProps) {
  const hostname = <Code>{'{{ HOSTNAME }}'}</Code>;
  const attribute = <Code>{'{{ site }}'}</Code>;
  const condition = <Code>{'{% if site %}…{% endif %}'}</Code>;
  // As an element: in a text the escape would become the character.
  const kept = <Code>{'\\u007b{ site }}'}</Code>;
  return (
    <>
      <Editor
        label={t`Body of the rules`}
        value={text}
        isReadOnly={isReadOnly}
        isTemplate
        onChange={(next) => onChange(next)}
      />
      {!isShown && text.trim() !== '' && (
        <Text size="xs" c="dimmed">
          <Trans>
            A form shows the body where its type is chosen and it is one JSON object, or one in a condition.
          </Trans>
        </Text>
      )}
      <Text size="xs" c="dimmed">
        <Trans>
          Variables: {hostname} is the name of the host, and each of its attributes goes by its own name, as {attribute}
          . They are filled in when a rule is made; written as {kept}, one stays a template in the made rule. Within{' '}
          {condition} it makes rules only for hosts that have a site.
        </Trans>
      </Text>
      <Text size="xs" c="dimmed">
        <Words>
          {t`A made rule is enabled only with ${{ enabled: '`"enabled": true`' }}, and runs at position 0 without ${{ position: '`"sort_field"`' }}.`}
        </Words>
      </Text>
    </>
  );
}

interface StartFromProps {
  readonly ruleType: string;
  readonly onStart: (body: string) => void;
}

/** A rule of the type that is chosen, whose document becomes the body. */
function StartFrom({ ruleType, onStart }: StartFromProps) {
  const type = useRuleTypes().data?.types.find(({ id }) => id === ruleType);
  if (type === undefined || type.export_group === 'hosts') {
    return (
      <Text size="xs" c="dimmed">
        {t`Choose the type of the rules above to start from a rule that there is.`}
      </Text>
    );
  }
  return <ExistingRules key={type.id} ruleType={type.id} keyedBy={type.keyed_by} onStart={onStart} />;
}

interface ExistingRulesProps extends StartFromProps {
  readonly keyedBy: string;
}

function ExistingRules({ ruleType, keyedBy, onStart }: ExistingRulesProps) {
  const rules = useAnswer('rules/find-rules', { rule_type: ruleType, limit: 1000 }).data?.rules ?? [];

  async function start(rule: string): Promise<void> {
    try {
      const { document } = await call('rules/show-rule', { rule_type: ruleType, rule });
      onStart(bodyOfRule(document, keyedBy));
    } catch (error) {
      showProblem(error as Error);
    }
  }

  return (
    <NativeSelect
      size="xs"
      aria-label={t`Start from the rule`}
      disabled={rules.length === 0}
      data={[
        { value: '', label: rules.length === 0 ? t`No rule of this type to start from` : t`Start from the rule …` },
        ...rules.map(({ id, name }) => ({ value: id, label: name || id })),
      ]}
      value=""
      onChange={(event) => {
        if (event.currentTarget.value !== '') void start(event.currentTarget.value);
      }}
    />
  );
}
