import { AppError } from '../../ports/index.ts';
import { worded } from '../worded.ts';
import { JsonRefusal, parseJson } from './parse-json.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Parses a JSON body. Refuses bytes that are not UTF-8, and everything that `parseJson` refuses. */
export function parseJsonBody(body: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch (cause) {
    throw new AppError('invalid_input', worded`the body is not valid UTF-8; send JSON encoded as UTF-8`, { cause });
  }
  try {
    return parseJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonRefusal)) throw cause;
    const { path } = cause;
    const message = `the body ${cause.reason}`;
    throw new AppError('invalid_input', message, { cause, details: path === undefined ? [] : [{ path, message }] });
  }
}
