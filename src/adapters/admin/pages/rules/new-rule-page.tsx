import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Code, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { hasMasked, textOf, withoutMasked } from '../forms/document.ts';
import { sentence } from '../language/service-texts.ts';
import { Answer } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { hasProject, isSwitched, type RuleTypeInfo, useRuleTypes } from './rule-type.ts';
import { NoSuchType } from './rules-page.tsx';

const route = getRouteApi('/rules/$type/new');

/** A new rule, empty or as a copy of another one. */
export function NewRulePage() {
  const { type: typeId } = route.useParams();
  const { copy, project, ...asked } = route.useSearch();
  const session = useSession();
  const types = useRuleTypes();
  return (
    <Answer of={types}>
      {({ types: all }) => {
        const type = all.find((candidate) => candidate.id === typeId);
        if (type === undefined || type.export_group === 'hosts') return <NoSuchType id={typeId} />;
        if (!may(session, 'rules/save-rule')) return <ReadOnly type={type} />;
        if (type.refusal !== null) return <ReadOnly type={type} />;
        if (copy !== undefined) return <CopiedRule key={`${type.id} ${copy}`} type={type} id={copy} />;
        const isOfSearch = type.conditional && Object.values(asked).some((value) => value !== undefined);
        const key = JSON.stringify([type.id, project, asked]);
        return isOfSearch ? (
          <RuleOfSearch key={key} type={type} project={project} {...asked} />
        ) : (
          <EmptyRule key={key} type={type} project={project} />
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
      note={
        hasMasked(document) && (
          <Alert color="yellow">
            <Trans>Secrets are not copied. Enter them again where the copy needs them.</Trans>
          </Alert>
        )
      }
    />
  );
}

interface NewRuleProps {
  readonly type: RuleTypeInfo;
  readonly document: JsonObject;
  /** Above the form. */
  readonly note?: ReactNode;
}

function NewRule({ type, document, note }: NewRuleProps) {
  const navigate = route.useNavigate();
  return (
    <Page title={t`New rule: ${{ type: type.title }}`} above={aboveOf(type)}>
      {note}
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

interface EmptyRuleProps {
  readonly type: RuleTypeInfo;
  readonly project: string | undefined;
  readonly members?: JsonObject;
  readonly note?: ReactNode;
}

/** It runs after the existing ones, so that everything it needs of them is set by then. */
function EmptyRule({ type, project, members = {}, note }: EmptyRuleProps) {
  const start = Math.max(0, type.rules - 1);
  const last = useAnswer('rules/find-rules', { rule_type: type.id, text: '', start, limit: 1 });
  return (
    <Answer of={last}>
      {({ rules: [rule] }) => (
        <NewRule
          type={type}
          document={{ ...emptyDocument(type, (rule?.sort_field ?? 0) + STEP, project), ...members }}
          note={note}
        />
      )}
    </Answer>
  );
}

interface RuleOfSearchProps extends EmptyRuleProps {
  readonly where?: string | undefined;
  readonly account?: string | undefined;
  readonly kind?: 'hosts' | 'objects' | undefined;
  readonly state?: 'archived' | 'any' | undefined;
  readonly hosts?: string | undefined;
}

/** A rule with the conditions of a search, as far as they can express it. */
function RuleOfSearch({ type, project, where, account, kind, state, hosts }: RuleOfSearchProps) {
  const asked = {
    ...(where !== undefined && { where }),
    ...(account !== undefined && { account }),
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
    ...(hosts !== undefined && { hosts: hosts.split(',') }),
  };
  return (
    <Answer of={useAnswer('search/rule-of-search', asked)}>
      {({ condition_typ, conditions, notes }) => (
        <EmptyRule
          type={type}
          project={project}
          members={{ condition_typ, conditions: [...conditions] }}
          note={<TakenOver notes={notes} />}
        />
      )}
    </Answer>
  );
}

/** Shows the result of converting the search. */
function TakenOver({ notes }: Pick<OfferedOutput<'search/rule-of-search'>, 'notes'>) {
  if (notes.length === 0) {
    return (
      <Alert color="blue" icon={<IconInfoCircle />} p="xs">
        <Trans>The conditions below are those of the search. Add what the rule is to do.</Trans>
      </Alert>
    );
  }
  const left = notes.filter(({ left_out }) => left_out);
  const changed = notes.filter(({ left_out }) => !left_out);
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle />}
      title={left.length > 0 ? t`Not all of the search could be taken over` : t`The rule is not quite the search`}
    >
      <List size="sm">
        {[...left, ...changed].map(({ part, left_out: isLeftOut, why }) => (
          <List.Item key={part} className="wrap-anywhere">
            {isLeftOut ? t`Left out` : t`Taken over in part`}: <Code>{part}</Code> – {sentence(why.text, why)}
          </List.Item>
        ))}
      </List>
    </Alert>
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
