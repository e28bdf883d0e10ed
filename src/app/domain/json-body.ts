import { AppError } from '../../ports/index.ts';

/** Deeper bodies are refused before they are parsed. */
const MAX_JSON_DEPTH = 64;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Parses a JSON body. Refuses bytes that are no UTF-8, malformed JSON and nesting deeper than `MAX_JSON_DEPTH`. */
export function parseJsonBody(body: Uint8Array): unknown {
  if (depthExceeds(body, MAX_JSON_DEPTH)) {
    throw new AppError(
      'invalid_input',
      `the JSON body is nested deeper than ${MAX_JSON_DEPTH} levels; send a flatter one`,
    );
  }
  let text: string;
  try {
    text = decoder.decode(body);
  } catch (cause) {
    throw new AppError('invalid_input', 'the body is not valid UTF-8; send JSON encoded as UTF-8', { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'syntax error';
    throw new AppError('invalid_input', `the body is not valid JSON: ${reason}`, { cause });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function depthExceeds(body: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (inText) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      if (depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}
