import type { LogFields, Logger } from '../../ports/index.ts';

export interface QuietLoggerOptions {
  /** Takes one line without its end. */
  readonly write: (line: string) => void;
  readonly debug: boolean;
}

/** The log of commands: warnings and errors as plain lines for a person, nothing else unless debugging. */
export function quietLogger(options: QuietLoggerOptions): Logger {
  const line = (level: string, message: string, fields: LogFields = {}): void => {
    const shown = Object.entries(fields).filter(([name]) => options.debug || name !== 'stack');
    const details = shown.map(([name, value]) => `${name}=${printed(value)}`);
    options.write([`${level}: ${message}`, ...details].join(' '));
  };
  const ignore = (): void => undefined;
  return {
    debug: options.debug ? (message, fields) => line('debug', message, fields) : ignore,
    info: options.debug ? (message, fields) => line('info', message, fields) : ignore,
    warn: (message, fields) => line('warning', message, fields),
    error: (message, fields) => line('error', message, fields),
    child: (fields) => childOf(quietLogger(options), fields),
  };
}

function childOf(logger: Logger, base: LogFields): Logger {
  return {
    debug: (message, fields) => logger.debug(message, { ...base, ...fields }),
    info: (message, fields) => logger.info(message, { ...base, ...fields }),
    warn: (message, fields) => logger.warn(message, { ...base, ...fields }),
    error: (message, fields) => logger.error(message, { ...base, ...fields }),
    child: (fields) => childOf(logger, { ...base, ...fields }),
  };
}

function printed(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  return typeof value === 'string' ? JSON.stringify(value) : String(JSON.stringify(value) ?? value);
}
