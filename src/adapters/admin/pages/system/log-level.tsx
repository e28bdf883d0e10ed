import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import type { LoggerLevel } from '../../../../ports/logger.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';

const LEVELS: Readonly<Record<LoggerLevel, string>> = {
  debug: t`debug: everything`,
  info: t`info: what happens`,
  warn: t`warn: what may be wrong`,
  error: t`error: what failed`,
  silent: t`silent: nothing`,
};

/** What the process that answers logs until it is started again, for who may change it. */
export function LogLevelField() {
  const mayChange = may(useSession(), 'system/set-log-level');
  const { data } = useAnswer('system/set-log-level', {}, { enabled: mayChange });
  const set = useAction('system/set-log-level', {
    done: ({ level }) => t`The service logs ${level} now, until it is started again.`,
    changes: ['system/set-log-level'],
  });
  if (!mayChange || data === undefined) return null;
  return (
    <NativeSelect
      label={t`The service logs`}
      description={t`Until it is started again; LOG_LEVEL is ${{ level: data.configured }}. With several nodes, of the one that answers.`}
      w={320}
      maw="100%"
      mb="md"
      data={Object.entries(LEVELS).map(([value, label]) => ({ value, label }))}
      value={data.level}
      disabled={set.isPending}
      onChange={({ currentTarget }) => set.mutate({ level: currentTarget.value as LoggerLevel })}
    />
  );
}
