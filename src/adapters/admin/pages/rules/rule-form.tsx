import './rules.css';
import { Alert, Grid, List, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DraftProvider } from '../forms/draft.ts';
import { formSchema } from '../forms/schema.ts';
import { SchemaFields } from '../forms/schema-fields.tsx';
import { ConditionsField } from './conditions-field.tsx';
import { DocumentField } from './document-field.tsx';
import { EnvelopeFields } from './envelope-fields.tsx';
import { ProjectField } from './fields/project-field.tsx';
import type { RuleTypeInfo } from './rule-type.ts';
import type { RuleDraft } from './use-draft.ts';

interface RuleFormProps {
  readonly type: RuleTypeInfo;
  readonly draft: RuleDraft;
}

/** What the envelope's fields and the conditions are for already. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'hostname',
  'enabled',
  'sort_field',
  'last_match',
  'condition_typ',
  'conditions',
  'documentation',
]);

/** A project is chosen among those that there are. */
const OWN_FIELDS = { project: (description: ReactNode) => <ProjectField description={description} /> };

/** A rule as a form, and beside it as the document that it is. */
export function RuleForm({ type, draft }: RuleFormProps) {
  const secrets = new Set(type.secret_members);
  return (
    <DraftProvider value={draft}>
      {draft.problems.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle />} title="This rule cannot work as it is" role="alert">
          <List size="sm">
            {draft.problems.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>{path === '' ? message : `${path}: ${message}`}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="sm">
            <EnvelopeFields type={type} />
            {type.conditional && <ConditionsField />}
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
            <DocumentField draft={draft} />
          </div>
        </Grid.Col>
      </Grid>
    </DraftProvider>
  );
}
