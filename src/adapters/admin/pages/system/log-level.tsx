import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import type { LoggerLevel } from '../../../../ports/logger.ts';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';

const LEVELS: Readonly<Record<LoggerLevel, string>> = {
  debug: t`debug: everything`,
  info: t`info: what happens`,
  warn: t`warn: what may be wrong`,
  error: t`error: what failed`,
  silent: t`silent: nothing`,
};

/** Sets what the answering process logs until it restarts, for users who may change it. */
export function LogLevelField({ log_level, config }: OfferedOutput<'system/show-config'>) {
  const mayChange = may(useSession(), 'system/set-log-level');
  const set = useAction('system/set-log-level', {
    done: ({ level }) => t`The service logs ${level} now, until it is started again.`,
    changes: ['system/show-config'],
  });
  if (!mayChange) return null;
  const configured = String(config.find(({ key }) => key === 'LOG_LEVEL')?.value);
  return (
    <NativeSelect
      label={t`The service logs`}
      description={t`Until it is started again; LOG_LEVEL is ${{ level: configured }}. With several nodes, of the one that answers.`}
      w={320}
      maw="100%"
      mb="md"
      data={Object.entries(LEVELS).map(([value, label]) => ({ value, label }))}
      value={log_level}
      disabled={set.isPending}
      onChange={({ currentTarget }) => set.mutate({ level: currentTarget.value as LoggerLevel })}
    />
  );
}
