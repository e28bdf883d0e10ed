import { Text } from '@mantine/core';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { Lines, OverviewPanel } from './overview-panel.tsx';

/** Storage, key, plugins, clock and disk. What is wrong with rules stands in a panel of its own. */
export function SystemPanel() {
  const answer = useAnswer('system/run-doctor', {}, { everySeconds: 60 });
  const findings = answer.data?.findings.filter(({ check }) => check !== 'rules');
  const wrong = findings?.filter(({ ok }) => !ok);
  return (
    <OverviewPanel
      title={
        <TextLink inherit to="/system">
          System
        </TextLink>
      }
      problems={wrong?.length}
    >
      <Answer of={answer}>
        {() => (
          <>
            <Lines
              more={
                <TextLink inherit to="/system">
                  all findings
                </TextLink>
              }
              lines={(wrong ?? []).map(({ check, message }) => ({ key: check, name: check, text: message }))}
            />
            <Text size="sm" mt={4}>
              {(findings ?? [])
                .filter(({ ok, check }) => ok && (check === 'storage' || check === 'disk'))
                .map(({ message }) => message)
                .join(', ')}
              {wrong?.length === 0 &&
                `, ${(findings ?? []).filter(({ check }) => check.startsWith('plugin ')).length} plugins run`}
            </Text>
          </>
        )}
      </Answer>
    </OverviewPanel>
  );
}
