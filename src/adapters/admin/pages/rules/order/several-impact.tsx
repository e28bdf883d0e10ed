import { plural, t } from '@lingui/core/macro';
import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../../../ports/index.ts';
import { type CallError, call } from '../../calls/call.ts';
import { may, useSession } from '../../calls/session.ts';
import { referenceOf } from '../../forms/document.ts';
import { useProjects } from '../projects.ts';
import { changesHosts, hasProject, type RuleTypeInfo } from '../rule-type.ts';

interface SeveralImpactProps {
  readonly type: RuleTypeInfo;
  /** Ids. */
  readonly rules: readonly string[];
  /** What they are to be; a deleted rule does as little as a disabled one. */
  readonly enabled: boolean;
}

/** How many hosts change in their inventory when several rules are switched or deleted. Nobody has to wait for it. */
export function SeveralImpact({ type, rules, enabled }: SeveralImpactProps) {
  const session = useSession();
  const projects = useProjects();
  const isAsked = changesHosts(type) && may(session, 'rules/rules-impact') && may(session, 'rules/list-rules');
  const impact = useQuery({
    queryKey: ['rules/rules-impact', type.id, rules, enabled],
    enabled: isAsked,
    retry: false,
    async queryFn({ signal }): Promise<Impact> {
      const listed = await call('rules/list-rules', { rule_type: type.id, rules: [...rules] }, signal);
      const { rules: documents } = listed as { readonly rules: readonly JsonObject[] };
      const changed = documents.map((document): JsonObject => ({ ...document, enabled }));
      const names = new Set(changed.map((document) => projectOf(document, type)));
      const found: Impact['of'][number][] = [];
      for (const name of names) {
        const provider = projects.find(({ id }) => id === name)?.name ?? (name || 'automation');
        const of = changed.filter((document) => projectOf(document, type) === name);
        const input = { rule_type: type.id, rules: of, project: provider, limit: 1 };
        const { hosts, changed: many } = await call('rules/rules-impact', input, signal);
        found.push({ provider, hosts, changed: many });
      }
      return { of: found };
    },
  });
  if (!isAsked) return null;
  return (
    <div aria-live="polite">
      {impact.data?.of.map(({ provider, hosts, changed }) => (
        <Text size="sm" key={provider}>
          {changed === 0
            ? t`No host would change in the inventory of ${provider}.`
            : plural(changed, {
                one: `# of ${plural(hosts, { one: '# host', other: '# hosts' })} would change in the inventory of ${provider}.`,
                other: `# of ${plural(hosts, { one: '# host', other: '# hosts' })} would change in the inventory of ${provider}.`,
              })}
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

interface Impact {
  readonly of: readonly { readonly provider: string; readonly hosts: number; readonly changed: number }[];
}

function projectOf(document: JsonObject, type: RuleTypeInfo): string {
  const reference = hasProject(type) ? referenceOf(document.project) : '';
  return reference === 'Default' ? '' : reference;
}
