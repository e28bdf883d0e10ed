import accounts from '../../../src/plugins/accounts/index.ts';
import automationCustomvars from '../../../src/plugins/automation-customvars/index.ts';
import automationFilter from '../../../src/plugins/automation-filter/index.ts';
import automationGroups from '../../../src/plugins/automation-groups/index.ts';
import automationPlaybookFire from '../../../src/plugins/automation-playbook-fire/index.ts';
import automationProjects from '../../../src/plugins/automation-projects/index.ts';
import automationRewrite from '../../../src/plugins/automation-rewrite/index.ts';
import autorules from '../../../src/plugins/autorules/index.ts';
import cmkFolderPool from '../../../src/plugins/cmk-folder-pool/index.ts';
import cmkPasswords from '../../../src/plugins/cmk-passwords/index.ts';
import cmkSites from '../../../src/plugins/cmk-sites/index.ts';
import cronGroups from '../../../src/plugins/cron-groups/index.ts';
import customAttributes from '../../../src/plugins/custom-attributes/index.ts';
import hostObjects from '../../../src/plugins/host-objects/index.ts';
import netbox from '../../../src/plugins/netbox/index.ts';
import notificationRules from '../../../src/plugins/notification-rules/index.ts';
import { REST_TARGET_RULES } from '../../../src/plugins/rest/export/rule-types.ts';
import signInGroups from '../../../src/plugins/sign-in-groups/index.ts';
import users from '../../../src/plugins/users/index.ts';
import type { RuleType } from '../../../src/ports/rule-type.ts';
import { ruleTypesOf } from '../../app/rules/support.ts';

const RULE_PLUGINS = [
  accounts,
  automationCustomvars,
  automationFilter,
  automationGroups,
  automationPlaybookFire,
  automationProjects,
  automationRewrite,
  autorules,
  cmkFolderPool,
  cmkPasswords,
  cmkSites,
  cronGroups,
  customAttributes,
  hostObjects,
  netbox,
  notificationRules,
  signInGroups,
  users,
];

/** Each with the folder of its plugin. */
const FOUND: readonly { readonly folder: string; readonly type: RuleType }[] = [
  ...RULE_PLUGINS.flatMap((plugin) => ruleTypesOf([plugin]).map((type) => ({ folder: plugin.id, type }))),
  ...REST_TARGET_RULES.map((type) => ({ folder: 'rest', type })),
];

export const RULE_TYPES: ReadonlyMap<string, { readonly folder: string; readonly type: RuleType }> = new Map(
  FOUND.map((found) => [found.type.id, found]),
);

export function ruleType(id: string): RuleType {
  const found = RULE_TYPES.get(id);
  if (found === undefined) throw new Error(`no rule type ${id}`);
  return found.type;
}
