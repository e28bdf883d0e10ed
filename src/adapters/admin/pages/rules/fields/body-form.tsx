import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Fieldset, Stack, Text, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import type { JsonObject } from '../../../../../ports/index.ts';
import { withValue } from '../../forms/document.ts';
import { DraftProvider } from '../../forms/draft.ts';
import { formSchema } from '../../forms/schema.ts';
import { SchemaFields } from '../../forms/schema-fields.tsx';
import { ConditionsField } from '../conditions-field.tsx';
import { EnvelopeFields } from '../envelope-fields.tsx';
import { OTHER_FIELDS } from '../form-members.ts';
import { isSwitched, type RuleTypeInfo } from '../rule-type.ts';
import { type AutoruleBody, bodyText, conditionFor } from './autorule-body.ts';
import { HOST_NAME } from './body-of-rule.ts';
import { MadeForField } from './made-for-field.tsx';
import { ProjectField } from './project-field.tsx';

interface BodyFormProps {
  /** Type of the created rules. */
  readonly type: RuleTypeInfo;
  readonly body: AutoruleBody;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

const OWN_FIELDS = {
  project: (description: React.ReactNode) => <ProjectField key="project" description={description} />,
};

/** The rule that an autorule makes, by the form of its type. */
export function BodyForm({ type, body, isReadOnly, onChange }: BodyFormProps) {
  const { condition, document } = body;
  const isEmpty = Object.keys(document).length === 0;
  const change = (next: AutoruleBody): void => onChange(bodyText(next));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a type that is chosen begins a body where there is none
  useEffect(() => {
    if (isEmpty && !isReadOnly) change({ condition, document: newDocument(type) });
  }, [type.id, isEmpty]);
  const place = <Code>{'{{ site }}'}</Code>;
  const kept = <Code>{'\\{{ site }}'}</Code>;
  return (
    <Fieldset legend={t`The rule that is made`} p="sm">
      <Stack gap="sm">
        <MadeForField body={body} keyedBy={type.keyed_by} isReadOnly={isReadOnly} onChange={change} />
        <TextInput
          size="xs"
          label={t`Only where`}
          description={t`A condition of templates, such as ${{ example: "site == 'MUC' and not is_virtual" }}. Hosts for which it does not hold make no rule. Empty: every host makes one.`}
          placeholder={t`every host`}
          spellCheck={false}
          readOnly={isReadOnly}
          value={condition}
          onChange={(event) => change({ condition: event.currentTarget.value, document })}
        />
        <Text size="xs" c="dimmed">
          <Trans>
            In every text below, {place} stands for the value that the host has, and is filled in when the rule is made.
            Written as {kept}, it stays a template in the rule.
          </Trans>
        </Text>
        <DraftProvider
          value={{
            document,
            isReadOnly,
            problem: () => undefined,
            set: (path, value) => change({ condition, document: withValue(document, path, value) as JsonObject }),
          }}
        >
          <EnvelopeFields type={type} />
          {type.conditional && <ConditionsField count={null} />}
          <SchemaFields
            schema={formSchema(type.schema)}
            path={[]}
            secrets={new Set(type.secret_members)}
            without={OTHER_FIELDS}
            own={OWN_FIELDS}
          />
        </DraftProvider>
      </Stack>
    </Fieldset>
  );
}

function newDocument(type: RuleTypeInfo): JsonObject {
  return {
    [type.keyed_by]: HOST_NAME,
    ...(isSwitched(type) ? { enabled: true } : {}),
    ...(type.conditional ? { condition_typ: 'all', conditions: [conditionFor({ kind: 'host' })], outcomes: [] } : {}),
  };
}
