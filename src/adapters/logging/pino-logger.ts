import { pino, stdSerializers } from 'pino';
import type { LogFields, Logger } from '../../ports/index.ts';
import type { SharedLogLevel } from './shared-log-level.ts';

export interface PinoLoggerOptions {
  readonly level: SharedLogLevel;
}

/** JSON lines on stderr, so that stdout stays the result's. Written synchronously: a crash loses no line. */
export function pinoLogger(options: PinoLoggerOptions): Logger {
  const logger = pino(
    {
      // The shared level decides, at each line.
      level: 'debug',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: stdSerializers.err },
      redact: {
        paths: ['password', '*.password', 'authorization', '*.authorization', 'token', '*.token'],
        censor: '********',
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return wrap(logger, options.level);
}

function wrap(logger: pino.Logger, level: SharedLogLevel): Logger {
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields): void => {
      if (level.allows(name)) logger[name](fields ?? {}, message);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => wrap(logger.child(fields), level),
  };
}
