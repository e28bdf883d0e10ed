import type { JsonObject } from '../../../../../ports/index.ts';
import { withoutMasked } from '../../forms/document.ts';

/** A name of its own for the rule of every host. */
export const HOST_NAME = '{{ HOSTNAME }}';

/**
 * The body of an autorule that makes rules like this one: without its id, and with the host as its name. Templates in it are
 * written so that they stay templates in the rules that are made.
 */
export function bodyOfRule(document: JsonObject, keyedBy: string): string {
  const { _id, [keyedBy]: _, ...rest } = withoutMasked(document) as JsonObject;
  const text = JSON.stringify(rest, undefined, 2).replaceAll(/\{(?=[{%#])/g, '\\u007b');
  const others = Object.keys(rest).length === 0 ? '\n}' : `,${text.slice(1)}`;
  return `{\n  ${JSON.stringify(keyedBy)}: ${JSON.stringify(HOST_NAME)}${others}`;
}
