import { TextDecoder } from 'node:util';
import { parseExact } from '../../kit/json/exact-numbers.ts';
import { JsonTokens, MARK } from '../../kit/json/json-tokens.ts';
import { worded } from '../../kit/worded.ts';
import type { JsonValue } from '../../ports/index.ts';
import { excerptAt, excerptOf } from './excerpt.ts';
import { LOST, RequestFailure } from './faults.ts';
import type { HiddenSecrets } from './hidden-secrets.ts';
import { findJsonFault } from './json-fault.ts';

/** Deeper values would exhaust the stack of code that walks them. */
const MAX_DEPTH = 200;

/** Facts about the content of an answer, from its head. */
export interface ContentHead {
  readonly type: string | undefined;
  readonly mask: HiddenSecrets;
}

export async function wholeBody(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

export function textOf(bytes: Uint8Array, type: string | undefined): string {
  return decode(decoderOf(type), bytes, false);
}

/** Bytes to text, in the encoding that the head names; UTF-8 without that. */
export function decoderOf(type: string | undefined): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new RequestFailure({ fault: 'content', message: worded`is answered in an encoding that is not known here` });
  }
}

export function decode(decoder: TextDecoder, bytes: Uint8Array | undefined, goesOn: boolean): string {
  try {
    return decoder.decode(bytes, { stream: goesOn });
  } catch (cause) {
    const message = worded`is answered with bytes that are not ${{ encoding: decoder.encoding.toUpperCase() }} text; let the system answer in UTF-8, or name its encoding in Content-Type`;
    throw new RequestFailure({ fault: 'content', message }, cause);
  }
}

/** The JSON document of an answer. */
export function jsonOf(text: string, { type, mask }: ContentHead): JsonValue {
  const tokens = new JsonTokens(text);
  const mark = tokens.next();
  if (mark === MARK.openObject || mark === MARK.openList) tokens.passContainer();
  else if (mark === MARK.none && text.trim() === '') throw emptyAnswer();
  if (tokens.deepest > MAX_DEPTH) {
    const most = String(MAX_DEPTH);
    throw new RequestFailure({
      fault: 'content',
      message: worded`is answered with JSON of more than ${{ most }} levels`,
    });
  }
  try {
    return parseExact(text, tokens) as JsonValue;
  } catch {
    throw noJson(text, { type, mask });
  }
}

export function emptyAnswer(): RequestFailure {
  return new RequestFailure({
    fault: 'content',
    message: worded`is answered with nothing where JSON should be; check the path, and the log of the server`,
  });
}

/** Explains why a text is not JSON. The error of the parser is not kept: it quotes the text as it is. */
function noJson(text: string, { type, mask }: ContentHead): RequestFailure {
  if (isMarkup(text, type)) return markup(excerptOf(text, mask));
  const fault = findJsonFault(text);
  const { position, isCut } = fault;
  const [line, column] = [String(fault.line), String(fault.column)];
  if (isCut && text.trim() !== '') {
    return new RequestFailure({
      ...LOST,
      message: worded`is answered with JSON that is cut off in line ${{ line }}, column ${{ column }}`,
    });
  }
  const around = excerptAt(text, position, mask);
  const message = worded`is answered with text that is not valid JSON: line ${{ line }}, column ${{ column }}, near "${{ around }}"`;
  return new RequestFailure({ fault: 'content', message });
}

export function isMarkup(start: string, type: string | undefined): boolean {
  return /^\s*</.test(start) || /^text\/html\b/i.test(type ?? '');
}

export function markup(title: string): RequestFailure {
  return new RequestFailure({
    fault: 'content',
    message:
      title === ''
        ? worded`is answered with a web page instead of JSON: the address may be that of the pages and not of the interface, or a login is in between`
        : worded`is answered with a web page (${{ title }}) instead of JSON: the address may be that of the pages and not of the interface, or a login is in between`,
  });
}
