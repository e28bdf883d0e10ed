import { isJsonObject } from '../../../kit/json/json-object.ts';
import type { HttpContext, JsonObject } from '../../../ports/index.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { idOf } from '../api/members.ts';
import type { NetBoxApi } from '../api/open-api.ts';

/** A device that another one, the master of its virtual chassis, stands for. */
export interface ChassisMember {
  readonly id: number;
  readonly name: string | undefined;
}

/** Devices that are not hosts of their own, because the master of their virtual chassis represents them all. */
export class ChassisMembers {
  readonly #masters = new Map<number, JsonObject>();
  readonly #members = new Map<number, ChassisMember[]>();

  /** In the order in which they are added, a master has its members. */
  add(device: JsonObject): void {
    const found = masterOf(device);
    const master = idOf(found?.master);
    if (found?.isOther !== true || master === undefined) return;
    const id = Number(device.id);
    this.#masters.set(id, found.master);
    const others = this.#members.get(master) ?? [];
    this.#members.set(master, [...others, { id, name: typeof device.name === 'string' ? device.name : undefined }]);
  }

  /** Returns the host for a device: its master, or the device itself. */
  hostOf(device: JsonObject): JsonObject {
    return this.#masters.get(Number(device.id)) ?? device;
  }

  of(master: number): readonly ChassisMember[] {
    return this.#members.get(master) ?? [];
  }
}

/** Reads all members of virtual chassis, and little of each. */
export async function readChassisMembers(api: NetBoxApi, context: HttpContext): Promise<ChassisMembers> {
  const members = new ChassisMembers();
  const query = { virtual_chassis_member: 'true', fields: 'id,name,virtual_chassis' };
  for await (const page of api.list({ path: ENDPOINTS.devices.path, query, size: 1_000 }, context)) {
    for (const device of page) members.add(device);
  }
  return members;
}

/** The master of the virtual chassis that a device is in, if there is one. */
export function masterOf({
  id,
  virtual_chassis,
}: JsonObject): { readonly master: JsonObject; readonly isOther: boolean } | undefined {
  const master = isJsonObject(virtual_chassis) ? virtual_chassis.master : undefined;
  return isJsonObject(master) ? { master, isOther: master.id !== id } : undefined;
}
