import * as z from 'zod';
import type { Account } from '../../accounts/account-directory.ts';
import { MASK } from '../../domain/mask.ts';

export const accountSummarySchema = z.object({ name: z.string(), type: z.string(), enabled: z.boolean() });

export const accountSchema = accountSummarySchema.extend({
  is_master: z.boolean(),
  is_object: z.boolean(),
  object_type: z.string(),
  parent: z.string(),
  address: z.string(),
  username: z.string(),
  has_password: z.boolean(),
  options: z.record(z.string(), z.string()).describe('Options of the type; secret ones are masked'),
  hosts: z.number().int().describe('Active hosts and objects that the account owns'),
});

export function accountAnswer(account: Account, hosts: number): z.infer<typeof accountSchema> {
  return {
    name: account.name,
    type: account.type,
    enabled: account.enabled,
    is_master: account.isMaster,
    is_object: account.isObject,
    object_type: account.objectType,
    parent: account.parent,
    address: account.address,
    username: account.username,
    has_password: account.sealedPassword !== '',
    options: Object.fromEntries([...account.fields].map(([name, field]) => [name, field.sealed ? MASK : field.value])),
    hosts,
  };
}
