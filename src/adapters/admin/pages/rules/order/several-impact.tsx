import { t } from '@lingui/core/macro';
import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../../../ports/index.ts';
import type { OfferedOutput } from '../../../offered-operations.ts';
import { type CallError, call } from '../../calls/call.ts';
import { may, useSession } from '../../calls/session.ts';
import { referenceOf, textOf } from '../../forms/document.ts';
import { impactText } from '../impact-words.ts';
import { useKnownProjects } from '../projects.ts';
import { hasProject, type RuleTypeInfo, switchesHosts } from '../rule-type.ts';

/** Whoever is about to click waits no longer; a part of the hosts says how much it is about. */
const SECONDS = 6;

/** Rules of one type, by id. */
interface RulesOfType {
  readonly type: RuleTypeInfo;
  readonly rules: readonly string[];
}

interface SeveralImpactProps {
  readonly of: readonly RulesOfType[];
  /** What they are to be; a deleted rule does as little as a disabled one. */
  readonly enabled: boolean;
}

/** How many hosts change in their inventory when several rules are switched or deleted. Nobody has to wait for it. */
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
  const impact = useQuery({
    queryKey: ['rules/rules-impact', id],
    enabled: projects !== undefined,
    retry: false,
    async queryFn({ signal }): Promise<readonly ProjectImpact[]> {
      const changed = await load(signal);
      const found: ProjectImpact[] = [];
      for (const name of new Set(changed.map(projectOf))) {
        const provider = projects?.find(({ id: project }) => project === name)?.name ?? (name || 'automation');
        const rules: Record<string, JsonObject[]> = {};
        for (const rule of changed.filter((one) => projectOf(one) === name)) {
          const documents = rules[rule.type.id] ?? [];
          rules[rule.type.id] = [...documents, rule.document];
        }
        const input = { rules, project: provider, limit: 1, seconds: SECONDS };
        found.push({ provider, impact: await call('rules/rules-impact', input, signal) });
      }
      return found;
    },
  });
  return (
    <div aria-live="polite">
      {impact.data?.map(({ provider, impact: of }) => (
        <Text size="sm" key={provider}>
          {impactText(of, provider)}
        </Text>
      ))}
      {impact.isError && (
        <Text size="sm" c="dimmed">
          {t`What would change is not known: ${{ reason: (impact.error as CallError).message }}`}
        </Text>
      )}
      {impact.isPending && <Loader size="xs" aria-label={t`Comparing all hosts`} />}
    </div>
  );
}

interface ProjectImpact {
  readonly provider: string;
  readonly impact: OfferedOutput<'rules/rules-impact'>;
}

/** The name or id of the project that it changes. */
function projectOf({ type, document }: ChangedRule): string {
  if (type.id === 'automation_projects') return textOf(document.name);
  const reference = hasProject(type) ? referenceOf(document.project) : '';
  return reference === 'Default' ? '' : reference;
}
