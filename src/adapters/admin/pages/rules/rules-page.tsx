import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Box, Group, Text } from '@mantine/core';
import { IconDownload, IconInfoCircle, IconPlus, IconTrash } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { OffsetPager } from '../parts/pager.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Command } from '../parts/value.tsx';
import { Words } from '../parts/words.tsx';
import { BeyondReach } from './beyond-reach.tsx';
import { CountedNote } from './counted-note.tsx';
import { CountedSoFar } from './hits-cells.tsx';
import { RulesTable } from './order/rules-table.tsx';
import { type OwnPage, ownPageOf } from './own-pages.ts';
import { AUTORULES, type RuleTypeInfo, useRuleTypes } from './rule-type.ts';
import { RunAutorules } from './run-autorules.tsx';
import { UnworkableNote } from './unworkable-note.tsx';
import { useHits } from './use-hits.ts';

const route = getRouteApi('/rules/$type');

const LIMIT = 100;

/** The rules of one type, in the order in which they run. */
export function RulesPage() {
  const { type: id } = route.useParams();
  const types = useRuleTypes();
  return (
    <Answer of={types}>
      {({ types: all }) => {
        const type = all.find((candidate) => candidate.id === id);
        return type === undefined ? <NoSuchType id={id} /> : <RulesOfType type={type} />;
      }}
    </Answer>
  );
}

export function NoSuchType({ id }: { readonly id: string }) {
  return (
    <Page title={t`There is no such rule type`} above={[{ to: '/rules', label: t`Rules` }]}>
      <Text>
        <Trans>
          No loaded plugin knows {id}. <TextLink to="/rules">All rule types</TextLink>
        </Trans>
      </Text>
    </Page>
  );
}

function RulesOfType({ type }: { readonly type: RuleTypeInfo }) {
  const session = useSession();
  const { search: text = '', start = 0 } = route.useSearch();
  const navigate = route.useNavigate();
  const isHosts = type.export_group === 'hosts';
  const found = useAnswer('rules/find-rules', { rule_type: type.id, text, start, limit: LIMIT }, { enabled: !isHosts });
  const hits = useHits(type.stage !== null);
  const mayChange = may(session, 'rules/save-rule') && type.refusal === null;
  // Documents of unknown types can be changed, but not created.
  const isBegun = type.kept === null || type.kept.system !== '';
  const ownPage = ownPageOf(type, session);
  return (
    <Page
      title={type.title}
      above={[{ to: '/rules', label: t`Rules` }]}
      description={
        <>
          <Words>{type.description}</Words> <Command>{type.id}</Command>
        </>
      }
      actions={
        !isHosts && (
          <>
            {type.id === AUTORULES && may(session, 'rules/run-autorules') && <RunAutorules />}
            <ButtonLink
              to="/rules/deleted"
              search={{ type: type.id }}
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
            >
              <Trans>Deleted</Trans>
            </ButtonLink>
            <ButtonLink
              to="/rules/export"
              search={{ type: type.id }}
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              <Trans>Export</Trans>
            </ButtonLink>
            {mayChange && isBegun && ownPage === undefined && (
              <ButtonLink
                to="/rules/$type/new"
                params={{ type: type.id }}
                leftSection={<IconPlus size={16} aria-hidden />}
              >
                <Trans>New rule</Trans>
              </ButtonLink>
            )}
          </>
        )
      }
    >
      {may(session, 'rules/save-rule') && <BeyondReach type={type} />}
      {ownPage !== undefined && <OwnPageNote page={ownPage} />}
      {!isHosts && (
        <>
          {type.stage === 'playbooks' && <CountedNote type={type.id} />}
          {(type.stage !== null || type.id === AUTORULES) && <UnworkableNote type={type.id} />}
          <Group gap="sm" align="flex-end">
            <SearchField
              label={t`Find`}
              placeholder={t`part of a name or of anything in the rule`}
              w={420}
              maw="100%"
              value={text}
              onSearch={(next) => void navigate({ search: { search: next || undefined }, replace: true })}
            />
            {type.stage !== null && <CountedSoFar hits={hits} />}
          </Group>
          <Answer of={found}>
            {(page) => (
              <Box aria-busy={found.isPlaceholderData} opacity={found.isPlaceholderData ? 0.6 : 1}>
                <RulesTable
                  type={type}
                  rules={page.rules}
                  hits={hits}
                  text={text}
                  mayChange={mayChange}
                  empty={
                    <NoRules
                      type={type}
                      isSearched={text !== ''}
                      isBegun={mayChange && isBegun && ownPage === undefined}
                    />
                  }
                />
                <OffsetPager
                  what={plural({ count: page.found }, { one: 'rule', other: 'rules' })}
                  start={start}
                  limit={LIMIT}
                  found={page.found}
                  total={page.total}
                  onStart={(next) => void navigate({ search: (now) => ({ ...now, start: next || undefined }) })}
                />
              </Box>
            )}
          </Answer>
        </>
      )}
    </Page>
  );
}

interface NoRulesProps {
  readonly type: RuleTypeInfo;
  readonly isSearched: boolean;
  /** Whether the reader can make one here. */
  readonly isBegun: boolean;
}

function NoRules({ type, isSearched, isBegun }: NoRulesProps) {
  if (isSearched) return t`No rule has this text.`;
  if (!isBegun) return t`There are no rules of this type yet.`;
  const command = `muster rules import <file> --type ${type.id}`;
  return (
    <Trans>
      There are no rules of this type yet. Make one with New rule, or import a file: <Command>{command}</Command>
    </Trans>
  );
}

function OwnPageNote({ page: { to, label } }: { readonly page: OwnPage }) {
  return (
    <Alert color="gray" icon={<IconInfoCircle />} p="xs">
      <Text size="sm">
        <Trans>
          These documents are kept with the rules. They are added and changed under <TextLink to={to}>{label}</TextLink>
          , with what else belongs to them.
        </Trans>
      </Text>
    </Alert>
  );
}
