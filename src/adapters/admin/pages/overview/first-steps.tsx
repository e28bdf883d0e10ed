import { useLocalStorage } from '@mantine/hooks';
import { lazy, Suspense, useEffect } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';

const FirstStepsList = lazy(async () => ({ default: (await import('./first-steps-list.tsx')).FirstStepsList }));

/**
 * Leads from an empty store to an inventory, for users who may do all of it. Shown if hosts or rules are missing, until the last
 * step is done or it is closed.
 */
export function FirstSteps() {
  const session = useSession();
  const [isClosed, setClosed] = useLocalStorage({
    key: 'muster-first-steps-closed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const mayBegin = may(session, 'accounts/add-account') && may(session, 'rules/save-rule');
  const isAsking = mayBegin && !isClosed;
  const types = useAnswer('rules/describe-rule-types', { schemas: false }, { enabled: isAsking, everySeconds: 15 });
  const accounts = useAnswer('accounts/show-accounts', {}, { enabled: isAsking, everySeconds: 15 });
  // The rule is saved on another page, so the start of the steps is stored.
  const [isBegun, setBegun] = useLocalStorage({
    key: 'muster-first-steps-begun',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const hosts = types.data?.hosts ?? 0;
  const rules = (types.data?.types ?? [])
    .filter(({ stage }) => stage !== null)
    .reduce((sum, type) => sum + type.rules, 0);
  const isKnown = isAsking && types.data !== undefined;
  const isLacking = isKnown && (hosts === 0 || rules === 0);
  useEffect(() => {
    if (isLacking && !isBegun) setBegun(true);
  });
  if (!isKnown || accounts.data === undefined || !(isLacking || isBegun)) return null;
  return (
    <Suspense fallback={null}>
      <FirstStepsList hosts={hosts} rules={rules} accounts={accounts.data.accounts} close={() => setClosed(true)} />
    </Suspense>
  );
}
