import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Grid, List, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
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
  /** The effect of the rule: it stays visible next to the fields. */
  readonly effect: ReactNode;
}

/** Width at which both columns have room. */
const WIDE = '(min-width: 75em)';

/**
 * Members with fields of their own: a project is chosen among the existing ones; the body of an autorule is a document itself.
 */
const OWN_FIELDS = {
  project: (description: ReactNode) => <ProjectField key="project" description={description} />,
  rule_body: (description: ReactNode) => <BodyField key="rule_body" description={description} />,
};

/** A rule as a form, with its effect, and as a document. */
export function RuleForm({ type, draft, effect }: RuleFormProps) {
  const isWide = useMediaQuery(WIDE) ?? true;
  if (type.kept !== null) return <KeptDocument type={type} draft={draft} />;
  const secrets = new Set(type.secret_members);
  const isTried = changesHosts(type) && type.refusal === null && !isListRule(type, draft.document);
  const hasEffect = effect !== null;
  const count = type.conditional && isTried && <MatchCount type={type} draft={draft} />;
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
                type.conditional && <ConditionsField count={!isWide && count} />
              )}
              <SchemaFields
                schema={formSchema(type.schema)}
                path={[]}
                secrets={secrets}
                without={OTHER_FIELDS}
                own={OWN_FIELDS}
              />
              {hasEffect && <DocumentField draft={draft} hasForm />}
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack gap="sm" className="beside-form">
              {isWide && count}
              {hasEffect ? effect : <DocumentField draft={draft} hasForm />}
            </Stack>
          </Grid.Col>
        </Grid>
      </FieldToolProvider>
    </DraftProvider>
  );
}

/** Shows a document of a type with unknown members. */
function KeptDocument({ type, draft }: Omit<RuleFormProps, 'effect'>) {
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
