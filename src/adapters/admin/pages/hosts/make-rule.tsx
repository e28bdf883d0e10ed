import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { may, type Session, useSession } from '../calls/session.ts';
import { NewRuleMenu } from '../parts/new-rule-menu.tsx';
import type { HostsSearch } from './search.ts';
import { Tool } from './tool.tsx';

/** Number of names that one call accepts. */
const MOST_NAMED = 200;

interface MakeRuleProps {
  /** The search and filters of the page. */
  readonly asked: Pick<HostsSearch, 'where' | 'account' | 'kind' | 'state'>;
}

/** Begins a rule with the search as its conditions. */
export function MakeRule({ asked: { where, account, kind, state } }: MakeRuleProps) {
  const session = useSession();
  if (!mayMake(session) || (where === undefined && account === undefined)) return null;
  return (
    <NewRuleMenu offers={isOnHosts} search={{ where, account, kind, state }}>
      <Tool icon={IconListDetails} label={t`Make a rule`} title={t`Make a rule of this search`} />
    </NewRuleMenu>
  );
}

/** Begins a rule about these hosts. */
export function MakeRuleOfHosts({ hostnames }: { readonly hostnames: readonly string[] }) {
  const session = useSession();
  if (!mayMake(session)) return null;
  const isTooMany = hostnames.length > MOST_NAMED;
  return (
    <NewRuleMenu offers={isOnHosts} search={{ hosts: hostnames.join(',') }}>
      <Button
        size="compact-sm"
        variant="default"
        disabled={isTooMany}
        title={isTooMany ? t`A rule names at most ${MOST_NAMED} hosts. Make one of a search.` : ''}
      >
        <Trans>Make a rule…</Trans>
      </Button>
    </NewRuleMenu>
  );
}

function mayMake(session: Session): boolean {
  return may(session, 'search/rule-of-search') && may(session, 'rules/save-rule');
}

function isOnHosts({ conditional, stage }: { readonly conditional: boolean; readonly stage: string | null }): boolean {
  return conditional && stage !== null;
}
