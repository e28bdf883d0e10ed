import { bytesOf, growsBeyond } from '../../../../app/hosts/decisions/host-size.ts';
import type { Connection } from '../connection.ts';

/** Lengths come from the heads of the rows: long texts themselves are not read. */
const SIZE = `SELECT octet_length(inventory) + octet_length(members) + CASE contributed WHEN 0 THEN octet_length(labels)
  ELSE (SELECT sum(octet_length(c.labels)) FROM contributions c WHERE c.host_id = h.id) END FROM hosts h WHERE id = ?`;
const OWN = 'SELECT octet_length(labels) FROM contributions WHERE host_id = ? AND account_id = ?';
const OWNERS = `SELECT CASE contributed WHEN 0 THEN octet_length(labels)
  ELSE (SELECT octet_length(c.labels) FROM contributions c WHERE c.host_id = h.id AND c.is_owner = 1) END
  FROM hosts h WHERE id = ?`;

/** Whether the host would be too large with these labels in the place of the owner's. */
export function ownerOutgrows(connection: Connection, hostId: number, labels: string, maxBytes: number): boolean {
  return outgrows(connection, hostId, connection.getRaw<[number | null]>(OWNERS, hostId)?.[0] ?? 0, labels, maxBytes);
}

/** The same for what another account contributes. */
export function contributorOutgrows(
  connection: Connection,
  hostId: number,
  accountId: string,
  labels: string,
  maxBytes: number,
): boolean {
  const before = connection.getRaw<[number]>(OWN, hostId, accountId)?.[0] ?? 0;
  return outgrows(connection, hostId, before, labels, maxBytes);
}

/** The same for the whole inventory. */
export function inventoryOutgrows(
  connection: Connection,
  hostId: number,
  before: string,
  after: string,
  maxBytes: number,
): boolean {
  return after.length > before.length && outgrows(connection, hostId, bytesOf(before), after, maxBytes);
}

function outgrows(connection: Connection, hostId: number, before: number, text: string, maxBytes: number): boolean {
  const after = bytesOf(text);
  if (after <= before) return false;
  return growsBeyond(maxBytes, connection.getRaw<[number]>(SIZE, hostId)?.[0] ?? 0, before, after);
}
