import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Loader, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonObject } from '../../../../../ports/index.ts';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { type CallError, call } from '../../calls/call.ts';
import { may, useSession } from '../../calls/session.ts';
import { impactText } from '../impact-words.ts';
import { type Project, providerOf, useKnownProjects } from '../projects.ts';
import { hasProject, type RuleTypeInfo, servesInventory, switchesHosts } from '../rule-type.ts';
import { partsOf } from './impact-parts.ts';

/** Longest wait before a click; counting part of the hosts is enough to show the size. */
const SECONDS = 6;

/** Rules of one type, by id. */
interface RulesOfType {
  readonly type: RuleTypeInfo;
  readonly rules: readonly string[];
}

interface SeveralImpactProps {
  readonly of: readonly RulesOfType[];
  /** The state to switch to; a deleted rule does as little as a disabled one. */
  readonly enabled: boolean;
}

/** Shows how many hosts change in their inventory if several rules are switched or deleted. The action does not wait for it. */
export function SeveralImpact({ of, enabled }: SeveralImpactProps) {
  const asked = of.filter(({ type }) => switchesHosts(type));
  const session = useSession();
  if (asked.length === 0 || !may(session, 'rules/rules-impact') || !may(session, 'rules/list-rules')) return null;
  return (
    <Impact
      id={[asked.map(({ type, rules }) => [type.id, rules]), enabled]}
      load={async (signal) => {
        const changed: ChangedRule[] = [];
        for (const { type, rules } of asked) {
          const listed = await call('rules/list-rules', { rule_type: type.id, rules: [...rules] }, signal);
          const { rules: documents } = listed as { readonly rules: readonly JsonObject[] };
          changed.push(...documents.map((document) => ({ type, document: { ...document, enabled } })));
        }
        return changed;
      }}
    />
  );
}

interface ChangedRule {
  readonly type: RuleTypeInfo;
  readonly document: JsonObject;
}

/** How many hosts change when a rule is stored as this document. */
export function DocumentImpact({ type, document }: ChangedRule) {
  const session = useSession();
  if (!switchesHosts(type) || !may(session, 'rules/rules-impact')) return null;
  return <Impact id={[type.id, document]} load={async () => [{ type, document }]} />;
}

interface ImpactProps {
  /** Tells one question from others. */
  readonly id: unknown;
  readonly load: (signal: AbortSignal) => Promise<readonly ChangedRule[]>;
}

function Impact({ id, load }: ImpactProps) {
  const projects = useKnownProjects();
  const [isOfAll, setIsOfAll] = useState(false);
  const impact = useQuery({
    queryKey: ['rules/rules-impact', id, isOfAll],
    enabled: projects !== undefined,
    retry: false,
    placeholderData: keepPreviousData,
    async queryFn({ signal }): Promise<readonly ProjectImpact[]> {
      const parts = askedOf(await load(signal), projects ?? []);
      const limits = { limit: 1, ...(isOfAll ? {} : { seconds: SECONDS / parts.length }) };
      const found: ProjectImpact[] = [];
      for (const { provider, rules } of parts) {
        found.push({
          provider,
          impact: await call('rules/rules-impact', { rules, project: provider, ...limits }, signal),
        });
      }
      return found;
    },
  });
  const isComparing = impact.isPending || impact.isPlaceholderData;
  const shown = (impact.data ?? []).filter(({ impact: of }, place) => place === 0 || of.changed > 0 || !of.is_exact);
  return (
    <div aria-live="polite">
      {shown.map(({ provider, impact: of }) => (
        <Text size="sm" key={provider}>
          {impactText(of, provider)}
        </Text>
      ))}
      {impact.isError && (
        <Text size="sm" c="dimmed">
          {t`The changes cannot be determined: ${{ reason: (impact.error as CallError).message }}`}
        </Text>
      )}
      {isComparing && <Loader size="xs" role="img" aria-label={t`Comparing all hosts`} />}
      {!isComparing && !isOfAll && shown.some(({ impact: of }) => !of.is_exact) && (
        <Button size="compact-xs" variant="default" mt={4} onClick={() => setIsOfAll(true)}>
          <Trans>Compare all hosts</Trans>
        </Button>
      )}
    </div>
  );
}

/** Rules of inventories that know no project have a part in all. */
function askedOf(changed: readonly ChangedRule[], projects: readonly Project[]): ReturnType<typeof partsOf> {
  const inventories = ['automation', ...projects.filter(({ enabled }) => enabled).map(({ name }) => name)];
  const placed = changed.map(({ type, document }) => {
    const isOfAll = servesInventory(type) && !hasProject(type) && type.id !== 'automation_projects';
    return { type: type.id, document, provider: isOfAll ? undefined : providerOf(type, document, projects) };
  });
  return partsOf(placed, inventories);
}

interface ProjectImpact {
  readonly provider: string;
  readonly impact: OfferedOutput<'rules/rules-impact'>;
}
