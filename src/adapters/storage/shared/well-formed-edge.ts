import type { RelationRecord } from '../../../ports/index.ts';
import { wellFormed } from './utf8-order.ts';

/** An edge as every store keeps it: its names have no halves of characters. */
export function wellFormedEdge({ hostname, type, target }: Omit<RelationRecord, 'source'>) {
  return { hostname: wellFormed(hostname), type, target: wellFormed(target) };
}
