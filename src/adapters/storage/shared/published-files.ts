import type { PublishedContent, PublishedFile } from '../../../ports/index.ts';

export function withoutBody({ name, contentType, digest, size, publishedAt }: PublishedContent): PublishedFile {
  return { name, contentType, digest, size, publishedAt };
}
