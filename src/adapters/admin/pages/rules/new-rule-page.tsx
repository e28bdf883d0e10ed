import { t } from '@lingui/core/macro';
import { Alert, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { JsonObject } from '../../../../ports/index.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { hasMasked, textOf, withoutMasked } from '../forms/document.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { hasProject, isSwitched, type RuleTypeInfo, useRuleTypes } from './rule-type.ts';
import { NoSuchType } from './rules-page.tsx';

const route = getRouteApi('/rules/$type/new');

/** A new rule, empty or as a copy of another one. */
export function NewRulePage() {
  const { type: typeId } = route.useParams();
  const { copy, project } = route.useSearch();
  const session = useSession();
  const types = useRuleTypes();
  return (
    <Answer of={types}>
      {({ types: all }) => {
        const type = all.find((candidate) => candidate.id === typeId);
        if (type === undefined || type.export_group === 'hosts') return <NoSuchType id={typeId} />;
        if (!may(session, 'rules/save-rule')) return <ReadOnly type={type} />;
        if (type.refusal !== null) return <ReadOnly type={type} />;
        return copy === undefined ? (
          <EmptyRule key={`${type.id} ${project ?? ''}`} type={type} project={project} />
        ) : (
          <CopiedRule key={`${type.id} ${copy}`} type={type} id={copy} />
        );
      }}
    </Answer>
  );
}

function aboveOf(type: RuleTypeInfo) {
  return [
    { to: '/rules', label: t`Rules` },
    { to: `/rules/${type.id}`, label: type.title },
  ];
}

function ReadOnly({ type }: { readonly type: RuleTypeInfo }) {
  return (
    <Page title={t`New rule`} above={aboveOf(type)}>
      <Text>{type.refusal === null ? t`You may only read, so you cannot create rules.` : `${type.refusal}.`}</Text>
    </Page>
  );
}

function CopiedRule({ type, id }: { readonly type: RuleTypeInfo; readonly id: string }) {
  const original = useAnswer('rules/show-rule', { rule_type: type.id, rule: id });
  if (original.data === undefined) {
    return (
      <Page title={t`New rule`} above={aboveOf(type)}>
        <Answer of={original}>{() => null}</Answer>
      </Page>
    );
  }
  const { document } = original.data;
  return (
    <NewRule
      type={type}
      document={copyOf(type, document)}
      note={hasMasked(document) ? t`Secrets are not copied. Enter them again where the copy needs them.` : undefined}
    />
  );
}

interface NewRuleProps {
  readonly type: RuleTypeInfo;
  readonly document: JsonObject;
  readonly note?: string | undefined;
}

function NewRule({ type, document, note }: NewRuleProps) {
  const navigate = route.useNavigate();
  return (
    <Page title={t`New rule: ${{ type: type.title }}`} above={aboveOf(type)}>
      {note !== undefined && <Alert color="yellow">{note}</Alert>}
      <RuleEditor
        type={type}
        document={document}
        onSaved={({ id }) =>
          void navigate({
            to: '/rules/$type/$id',
            params: { type: type.id, id },
            ignoreBlocker: true,
            replace: true,
          })
        }
      />
    </Page>
  );
}

const STEP = 10;

/** It runs after those that are there: what it needs of them is set by then. */
function EmptyRule({ type, project }: { readonly type: RuleTypeInfo; readonly project: string | undefined }) {
  const start = Math.max(0, type.rules - 1);
  const last = useAnswer('rules/find-rules', { rule_type: type.id, text: '', start, limit: 1 });
  return (
    <Answer of={last}>
      {({ rules: [rule] }) => (
        <NewRule type={type} document={emptyDocument(type, (rule?.sort_field ?? 0) + STEP, project)} />
      )}
    </Answer>
  );
}

function emptyDocument(type: RuleTypeInfo, position: number, project: string | undefined): JsonObject {
  return {
    [type.keyed_by]: '',
    ...(isSwitched(type) ? { enabled: true } : {}),
    ...(hasProject(type) || type.conditional ? { sort_field: position } : {}),
    ...(hasProject(type) && project !== undefined ? { project } : {}),
    ...(type.conditional ? { condition_typ: 'all', conditions: [], outcomes: [] } : {}),
    ...(type.id === 'cmdb_templates' ? { cmdb_match: '', labels: {} } : {}),
  };
}

function copyOf(type: RuleTypeInfo, document: JsonObject): JsonObject {
  const { _id, ...copied } = withoutMasked(document) as JsonObject;
  return {
    ...copied,
    [type.keyed_by]: t`${{ name: textOf(document[type.keyed_by]) }} (copy)`,
    ...(isSwitched(type) ? { enabled: false } : {}),
  };
}
