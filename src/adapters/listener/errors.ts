import { AppError, type ErrorCode, type ErrorDetail } from '../../ports/index.ts';

/** The HTTP status of each code. */
export const STATUS_OF_CODE: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 400,
  unauthenticated: 401,
  insecure_transport: 401,
  role_missing: 401,
  read_only: 403,
  forbidden: 403,
  account_conflict: 403,
  not_found: 404,
  gone: 410,
  archived: 409,
  conflict: 409,
  too_large: 413,
  store_missing: 503,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  failed: 502,
  unavailable: 503,
  cancelled: 503,
};

export interface HttpError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** True for an HTTP answer that was thrown as is. */
export function isHttpError(value: unknown): value is HttpError {
  return typeof value === 'object' && value !== null && 'status' in value && 'body' in value;
}

/**
 * Returns the answer to an expected failure. Faults of the program show nothing but the request's id, under which they are
 * logged.
 */
export function fromAppError(error: AppError, requestId: string): HttpError {
  const status = STATUS_OF_CODE[error.code];
  const headers: Record<string, string> = {};
  if (status === 401) headers['www-authenticate'] = 'Basic realm="muster"';
  if (status === 429 || status === 503) headers['retry-after'] = String(error.retryAfterSeconds ?? 1);
  const message =
    error.code === 'internal'
      ? `something went wrong on our side; the log of the service has it under request ${requestId}`
      : error.message;
  return {
    status,
    headers,
    body: {
      ...error.members,
      message,
      code: error.code,
      ...(error.details.length > 0 ? { details: plainDetails(error) } : {}),
    },
  };
}

/**
 * Returns what is wrong and where, in English: clients that also get the parts of the messages have a member of its own for that.
 */
export function plainDetails({ details }: AppError): readonly ErrorDetail[] {
  return details.map(({ wording: _, ...detail }) => detail);
}

/** Anything that was thrown, as one of the codes: errors of the framework keep their meaning, the rest is a fault of ours. */
export function toAppError(error: unknown, maxBodyBytes: number): AppError {
  if (error instanceof AppError) return error;
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('too_large', `the body is larger than ${maxBodyBytes} bytes; send it in parts`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'the Content-Type is not understood; send application/json');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_input', 'the body is not as long as Content-Length says');
    case 'FST_ERR_BAD_URL':
      return new AppError('invalid_input', 'the path is not percent-encoded correctly');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('invalid_input', 'a part of the path is too long');
    case 'ECONNRESET':
      return new AppError('cancelled', 'the client went away', { cause: error });
    default:
      return new AppError('internal', 'unexpected fault', { cause: error });
  }
}
