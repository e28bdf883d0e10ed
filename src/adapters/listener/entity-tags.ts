/** Ending of an entity tag for each content coding: the compressed answer is another representation. */
export type ContentCoding = 'identity' | 'gzip' | 'br' | 'zstd';

export function codedTag(tag: string, coding: ContentCoding): string {
  return coding === 'identity' ? tag : `${tag.slice(0, -1)}-${coding}"`;
}

/** Returns the tags of `If-None-Match` without weakness and coding, as `"abc"`; `*` stays unchanged. */
export function knownTags(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  if (header.trim() === '*') return ['*'];
  return Array.from(
    header.matchAll(/(?:W\/)?"([^"]*)"/g),
    ([, text]) => `"${(text as string).replace(/-(gzip|br|zstd)$/, '')}"`,
  );
}
