import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { CallError } from '../calls/call.ts';
import { referenceOf } from '../forms/document.ts';
import { useProjects } from './projects.ts';
import { hasProject, isListRule, type RuleTypeInfo } from './rule-type.ts';
import { TryAllHosts } from './try-all-hosts.tsx';
import { TryList } from './try-list.tsx';
import { TryOneHost } from './try-one-host.tsx';
import type { RuleDraft } from './use-draft.ts';

interface TryRuleProps {
  readonly type: RuleTypeInfo;
  readonly draft: RuleDraft;
}

/** Shows the effect of a rule in its present form, before it is saved. */
export function TryRule({ type, draft }: TryRuleProps) {
  const projects = useProjects();
  const [chosen, setChosen] = useState('automation');
  const reference = hasProject(type) ? referenceOf(draft.document.project) : '';
  const own = projects.find(({ id }) => id === reference)?.name ?? (reference === 'Default' ? '' : reference);
  const provider = hasProject(type) ? own || 'automation' : chosen;
  const trial = {
    type,
    document: draft.document,
    provider,
    isReady: draft.textError === undefined,
    onProblem: (error: CallError, prefix: string) => draft.complain(error, prefix),
  };
  return (
    <section aria-labelledby="try" className="not-printed">
      <Title order={2} size="h4" id="try" mb="xs">
        <Trans>Before saving</Trans>
      </Title>
      {!hasProject(type) && projects.length > 0 && (
        <NativeSelect
          label={t`In the inventory of`}
          size="xs"
          maw={320}
          mb="xs"
          data={['automation', ...projects.filter(({ enabled }) => enabled).map(({ name }) => name)]}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      {isListRule(type, draft.document) ? (
        <TryList trial={trial} />
      ) : (
        <Stack gap="sm">
          <TryAllHosts trial={trial} />
          <TryOneHost trial={trial} />
        </Stack>
      )}
    </section>
  );
}
