import type { Services } from '../listener/services.ts';

/** SIGUSR2 switches the log level of the process between debug and LOG_LEVEL. Returns a function that ends this. */
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
