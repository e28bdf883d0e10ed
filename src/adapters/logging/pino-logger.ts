import { pino, stdSerializers } from 'pino';
import type { LogFields, Logger } from '../../ports/index.ts';

export interface PinoLoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** JSON lines on stderr, so that stdout stays the result's. Written synchronously: a crash loses no line. */
export function pinoLogger(options: PinoLoggerOptions): Logger {
  const logger = pino(
    {
      level: options.level,
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
  return wrap(logger);
}

function wrap(logger: pino.Logger): Logger {
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
    child: (fields: LogFields) => wrap(logger.child(fields)),
  };
}
