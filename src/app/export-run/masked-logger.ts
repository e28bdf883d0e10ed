import type { LogFields, Logger } from '../../ports/index.ts';

/** Deeper values are left out: a log line is no place for a whole answer of a remote system. */
const MAX_DEPTH = 6;

/** A log that hides texts wherever they stand: in messages, fields and errors. */
export function maskedLogger(logger: Logger, mask: (text: string) => string): Logger {
  const fieldsOf = (fields: LogFields | undefined): LogFields | undefined =>
    fields === undefined ? undefined : masked(fields);

  function masked(fields: LogFields): LogFields {
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskedValue(value, 0)]));
  }

  function maskedValue(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return mask(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) return '…';
    if (value instanceof Error) return maskedError(value, depth);
    if (Array.isArray(value)) return value.map((item) => maskedValue(item, depth + 1));
    if (value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), maskedValue(item, depth + 1)]));
  }

  function maskedError(error: Error, depth: number): Error {
    const copy = new Error(mask(error.message), { cause: maskedValue(error.cause, depth + 1) });
    copy.name = error.name;
    if (error.stack !== undefined) copy.stack = mask(error.stack);
    return copy;
  }

  return {
    debug: (message, fields) => logger.debug(mask(message), fieldsOf(fields)),
    info: (message, fields) => logger.info(mask(message), fieldsOf(fields)),
    warn: (message, fields) => logger.warn(mask(message), fieldsOf(fields)),
    error: (message, fields) => logger.error(mask(message), fieldsOf(fields)),
    child: (fields) => maskedLogger(logger.child(masked(fields)), mask),
  };
}
