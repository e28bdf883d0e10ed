import { useLocalStorage } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';

const FirstStepsList = lazy(async () => ({ default: (await import('./first-steps-list.tsx')).FirstStepsList }));

/** From nothing to an inventory, for who may do all of it. It comes on an instance without hosts and stays until it is closed. */
export function FirstSteps() {
  const session = useSession();
  const [isClosed, setClosed] = useLocalStorage({
    key: 'muster-first-steps-closed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const mayBegin = may(session, 'accounts/add-account') && may(session, 'rules/save-rule');
  const isAsking = mayBegin && !isClosed;
  const types = useAnswer('rules/describe-rule-types', {}, { enabled: isAsking, everySeconds: 15 });
  const accounts = useAnswer('accounts/show-accounts', {}, { enabled: isAsking, everySeconds: 15 });
  const [wasEmpty, setWasEmpty] = useState(false);
  if (!isAsking || types.data === undefined || accounts.data === undefined) return null;
  const { hosts } = types.data;
  const rules = types.data.types.filter(({ stage }) => stage !== null).reduce((sum, type) => sum + type.rules, 0);
  const isWhole = hosts > 0 && rules > 0;
  if (!isWhole && !wasEmpty) setWasEmpty(true);
  if (isWhole && !wasEmpty) return null;
  return (
    <Suspense fallback={null}>
      <FirstStepsList hosts={hosts} rules={rules} accounts={accounts.data.accounts} close={() => setClosed(true)} />
    </Suspense>
  );
}
