import { AppError, type LogFields, type Logger, type Wording, type WordingParts } from '../../ports/index.ts';
import { type Said, saidBy } from '../worded.ts';

type Mask = (text: string) => string;

/** The error with everything in it masked, its causes too. Programs find its code and members as they were. */
export function maskedError(error: AppError, mask: Mask): AppError;
export function maskedError(error: unknown, mask: Mask): Error;
export function maskedError(error: unknown, mask: Mask): Error {
  if (!(error instanceof AppError)) {
    return error instanceof Error ? (maskedValue(error, mask) as Error) : new Error(mask(String(error)));
  }
  const copy = new AppError(error.code, maskedSaid(saidBy(error), mask), {
    details: error.details.map(({ path, message, wording }) => ({
      path: mask(path),
      message: mask(message),
      ...(wording === undefined ? {} : { wording: maskedParts(wording, mask) }),
    })),
    members: maskedValue(error.members, mask) as Readonly<Record<string, unknown>>,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.cause === undefined ? {} : { cause: maskedValue(error.cause, mask) }),
  });
  if (error.stack !== undefined) copy.stack = mask(error.stack);
  return copy;
}

/** A sentence with everything in it masked, however deep its parts lie. */
export function maskedSaid(said: Said, mask: Mask): Said {
  return typeof said === 'object' ? maskedWording(said, mask) : mask(String(said));
}

function maskedParts({ template, values }: WordingParts, mask: Mask): WordingParts {
  return {
    template: mask(template),
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [mask(name), maskedPart(value, mask)])),
  };
}

function maskedWording(wording: Wording, mask: Mask): Wording {
  const { restricted } = wording;
  return {
    text: mask(wording.text),
    ...maskedParts(wording, mask),
    ...(restricted === undefined ? {} : { restricted: maskedWording(restricted, mask) }),
  };
}

function maskedPart(value: Wording['values'][string], mask: Mask): Wording['values'][string] {
  return typeof value === 'object' ? maskedWording(value, mask) : (maskedValue(value, mask) as string | number);
}

/** Deeper values are left out: a log line should not hold a whole response of a remote system. */
const MAX_DEPTH = 6;

/** The value with every text in it masked: of objects, of lists, of errors and their causes. */
export function maskedValue(value: unknown, mask: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return mask(String(value)) === String(value) ? value : mask(String(value));
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (value instanceof Error) return copyOf(value, mask, depth);
  if (value instanceof URL) return mask(value.href);
  // Bytes of a secret are the secret.
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `(${value.byteLength} bytes)`;
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, mask, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [mask(name), maskedValue(item, mask, depth + 1)]),
  );
}

function copyOf(error: Error, mask: (text: string) => string, depth: number): Error {
  const { cause } = error;
  const copy = new Error(
    mask(String(error.message)),
    cause === undefined ? undefined : { cause: maskedValue(cause, mask, depth + 1) },
  );
  copy.name = mask(String(error.name));
  if (typeof error.stack === 'string') copy.stack = mask(error.stack);
  return copy;
}

/** Returns a logger that masks texts everywhere: in messages, fields and errors. */
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
