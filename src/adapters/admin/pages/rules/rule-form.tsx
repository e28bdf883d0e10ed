import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Grid, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Path } from '../forms/document.ts';
import { DraftProvider } from '../forms/draft.ts';
import { FieldToolProvider } from '../forms/field-tool.ts';
import { formSchema } from '../forms/schema.ts';
import { SchemaFields } from '../forms/schema-fields.tsx';
import { pathWords } from '../parts/path-words.ts';
import { ConditionsField } from './conditions-field.tsx';
import { DocumentField } from './document-field.tsx';
import { EnvelopeFields } from './envelope-fields.tsx';
import { BodyField } from './fields/body-field.tsx';
import { ListFields, RowSourceField } from './fields/list-fields.tsx';
import { ProjectField } from './fields/project-field.tsx';
import { OTHER_FIELDS } from './form-members.ts';
import { KeptNote } from './kept-note.tsx';
import { MatchCount } from './match-count.tsx';
import { changesHosts, isListRule, type RuleTypeInfo, takesList, takesRows } from './rule-type.ts';
import { TemplateButton } from './template/template-button.tsx';
import type { RuleDraft } from './use-draft.ts';

interface RuleFormProps {
  readonly type: RuleTypeInfo;
  readonly draft: RuleDraft;
}

/** A project is chosen among those that there are; the body of an autorule is a document itself. */
const OWN_FIELDS = {
  project: (description: ReactNode) => <ProjectField key="project" description={description} />,
  rule_body: (description: ReactNode) => <BodyField key="rule_body" description={description} />,
};

/** A rule as a form, and beside it as the document that it is. */
export function RuleForm({ type, draft }: RuleFormProps) {
  if (type.kept !== null) return <KeptDocument type={type} draft={draft} />;
  const secrets = new Set(type.secret_members);
  const isTried = changesHosts(type) && type.refusal === null && !isListRule(type, draft.document);
  const hasRows = takesRows(type) && draft.document.rule_source === 'list';
  const tool =
    isTried && !hasRows ? (path: Path) => <TemplateButton path={path} type={type} draft={draft} /> : undefined;
  return (
    <DraftProvider value={draft}>
      <Problems draft={draft} />
      <FieldToolProvider value={tool}>
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <Stack gap="sm">
              <EnvelopeFields type={type} />
              {takesList(type) && <ListFields />}
              {takesRows(type) && <RowSourceField />}
              {hasRows ? (
                <Text size="xs" c="dimmed">
                  <Trans>Conditions do not apply: each outcome is a row that is about its host alone.</Trans>
                </Text>
              ) : isListRule(type, draft.document) ? (
                <Text size="xs" c="dimmed">
                  <Trans>Conditions do not apply: the rule does what follows with every row.</Trans>
                </Text>
              ) : (
                type.conditional && <ConditionsField count={isTried && <MatchCount type={type} draft={draft} />} />
              )}
              <SchemaFields
                schema={formSchema(type.schema)}
                path={[]}
                secrets={secrets}
                without={OTHER_FIELDS}
                own={OWN_FIELDS}
              />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <div className="document-pane">
              <DocumentField draft={draft} hasForm />
            </div>
          </Grid.Col>
        </Grid>
      </FieldToolProvider>
    </DraftProvider>
  );
}

/** A document of a type whose members nobody knows. */
function KeptDocument({ type, draft }: RuleFormProps) {
  return (
    <Stack gap="sm">
      <KeptNote type={type} />
      <Problems draft={draft} />
      <DocumentField draft={draft} />
    </Stack>
  );
}

function Problems({ draft }: { readonly draft: RuleDraft }) {
  if (draft.problems.length === 0) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t`This rule cannot work as it is`} role="alert">
      <List size="sm">
        {draft.problems.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>{path === '' ? message : `${pathWords(path)}: ${message}`}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
