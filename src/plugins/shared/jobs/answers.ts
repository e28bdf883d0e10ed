import { ownMember } from '../../../kit/document/members.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { type Said, saidIn } from '../../../kit/worded.ts';
import type { WordingParts } from '../../../ports/errors.ts';
import type { JsonValue } from '../../../ports/json.ts';

/** Members of what operations answer; what is missing counts as `null`, 0 or empty. */

export function memberOf(answer: JsonValue, name: string): JsonValue {
  return (isJsonObject(answer) ? ownMember(answer, name) : undefined) ?? null;
}

export function countOf(answer: JsonValue, name: string): number {
  const value = memberOf(answer, name);
  return typeof value === 'number' ? value : 0;
}

export function textOf(answer: JsonValue, name: string): string {
  const value = memberOf(answer, name);
  return typeof value === 'string' ? value : '';
}

/** Returns the message of a response, with its parts if it has them. */
export function saidOf(answer: JsonValue): Said {
  const message = textOf(answer, 'message');
  const wording = memberOf(answer, 'wording');
  return isJsonObject(wording) ? saidIn({ message, wording: wording as unknown as WordingParts }) : message;
}
