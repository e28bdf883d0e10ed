import * as z from 'zod';
import { isJsonObject } from '../../../app/kernel/json/json-object.ts';
import { madeOnce } from '../../../app/kernel/options/made-once.ts';
import { phrase, worded } from '../../../app/kernel/worded.ts';
import type { JsonObject, JsonValue, SourceGap } from '../../../ports/index.ts';

/** How systems call where the next page is, without case and lines between words. */
const NEXT: ReadonlySet<string> = new Set([
  'next',
  'nextpage',
  'nextlink',
  'nexturl',
  'nexthref',
  'nexttoken',
  'nextpagetoken',
  'nextpageurl',
  'nextpagelink',
  'nextcursor',
  'nextmarker',
  '@odata.nextlink',
  'odata.nextlink',
  'lastevaluatedkey',
]);
/** And that there is one. */
const MORE: ReadonlySet<string> = new Set(['istruncated', 'hasmore', 'hasnext', 'hasnextpage', 'moreresults']);
const LAST: ReadonlySet<string> = new Set(['islast', 'islastpage']);
/** Members that hold one of these. */
const HOLDERS: ReadonlySet<string> = new Set([
  'links',
  '_links',
  'meta',
  'metadata',
  'paging',
  'pagination',
  'pageinfo',
]);

/** `next_page`, for sources that read answers which others stored. */
export const nextPageOption = madeOnce(() =>
  z
    .enum(['gap', 'ignore'], { error: phrase`must be gap or ignore` })
    .default('gap')
    .describe(
      'A file that says there is a next page of its list (next, NextToken, @odata.nextLink, IsTruncated …). gap: the run is partial and archives nothing; ignore: the file is the whole',
    ),
);

/** Whether a member that stands beside a list, or beside an object on the way to it, may speak of a next page. */
export function maySpeakOfPages(name: string, kind: 'object' | 'list' | 'scalar'): boolean {
  const called = plain(name);
  if (kind === 'scalar') return NEXT.has(called) || MORE.has(called) || LAST.has(called);
  return kind === 'object' && (HOLDERS.has(called) || NEXT.has(called));
}

/** The path of what says that there is a next page; `undefined` when nothing says so. */
export function nextPageAt(members: JsonObject): string | undefined {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const called = plain(name);
    if (
      NEXT.has(called) ? leadsOn(value) : (MORE.has(called) && value === true) || (LAST.has(called) && value === false)
    ) {
      return name;
    }
    const inner = HOLDERS.has(called) && isJsonObject(value) ? heldAt(value) : undefined;
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return undefined;
}

/** Kubernetes says `metadata.continue`. */
function heldAt(holder: JsonObject): string | undefined {
  const { continue: token, ...members } = holder;
  return token !== undefined && leadsOn(token) ? 'continue' : nextPageAt(members);
}

export function pageGap(member: string): SourceGap {
  return {
    kind: 'gap',
    what: phrase`the rest of the list`,
    reason: worded`the file is one page of an answer: ${{ member }} says that there is more; store all of it, or set next_page to ignore`,
  };
}

function leadsOn(value: JsonValue): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value === 'number') return value > 0;
  if (!isJsonObject(value)) return value === true;
  const address = value.href ?? value.url;
  return address === undefined ? Object.keys(value).length > 0 : leadsOn(address);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/(?<=.)[_-]/g, '');
}
