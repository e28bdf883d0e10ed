import type { Services } from '../listener/services.ts';

/** SIGUSR2 switches what the process logs between debug and LOG_LEVEL. Answers what ends that. */
export function listenForDebugSignal({
  config,
  logLevel,
  logger,
}: Pick<Services, 'config' | 'logLevel' | 'logger'>): () => void {
  const turn = (): void => {
    logLevel.set(logLevel.level === 'debug' ? config.LOG_LEVEL : 'debug');
    logger.warn('the log level changes, as SIGUSR2 asked for', { to: logLevel.level });
  };
  process.on('SIGUSR2', turn);
  return () => process.off('SIGUSR2', turn);
}
