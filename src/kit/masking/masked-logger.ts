import type { LogFields, Logger } from '../../ports/index.ts';
import { maskedValue } from './masked-value.ts';

/** A log that hides texts wherever they stand: in messages, fields and errors. */
export function maskedLogger(logger: Logger, mask: (text: string) => string): Logger {
  // Plugins are written in plain JavaScript too, and say anything.
  const said = (message: unknown): string => mask(String(message));
  const masked = (fields: LogFields): LogFields => {
    const hidden = maskedValue(fields, mask);
    return typeof hidden === 'object' && hidden !== null ? (hidden as LogFields) : { said: hidden };
  };
  const fieldsOf = (fields: LogFields | undefined): LogFields | undefined =>
    fields === undefined ? undefined : masked(fields);
  return {
    debug: (message, fields) => logger.debug(said(message), fieldsOf(fields)),
    info: (message, fields) => logger.info(said(message), fieldsOf(fields)),
    warn: (message, fields) => logger.warn(said(message), fieldsOf(fields)),
    error: (message, fields) => logger.error(said(message), fieldsOf(fields)),
    child: (fields) => maskedLogger(logger.child(masked(fields)), mask),
  };
}
