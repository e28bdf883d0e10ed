import type { Plugin } from '../ports/index.ts';
import accounts from './accounts/index.ts';
import ansible from './ansible/index.ts';
import automationCustomvars from './automation-customvars/index.ts';
import automationFilter from './automation-filter/index.ts';
import automationGroups from './automation-groups/index.ts';
import automationInventory from './automation-inventory/index.ts';
import automationPlaybookFire from './automation-playbook-fire/index.ts';
import automationProjects from './automation-projects/index.ts';
import automationRewrite from './automation-rewrite/index.ts';
import autorules from './autorules/index.ts';
import chat from './chat/index.ts';
import cmkFolderPool from './cmk-folder-pool/index.ts';
import cmkPasswords from './cmk-passwords/index.ts';
import cmkSites from './cmk-sites/index.ts';
import cronGroups from './cron-groups/index.ts';
import csv from './csv/index.ts';
import customAttributes from './custom-attributes/index.ts';
import files from './files/index.ts';
import hostObjects from './host-objects/index.ts';
import jobs from './jobs/index.ts';
import json from './json/index.ts';
import jsonFile from './json-file/index.ts';
import keptTypes from './kept-types/index.ts';
import ldap from './ldap/index.ts';
import machineSecrets from './machine-secrets/index.ts';
import mail from './mail/index.ts';
import muster from './muster/index.ts';
import netbox from './netbox/index.ts';
import notificationRules from './notification-rules/index.ts';
import oidc from './oidc/index.ts';
import proxySignIn from './proxy-sign-in/index.ts';
import rest from './rest/index.ts';
import signInGroups from './sign-in-groups/index.ts';
import sql from './sql/index.ts';
import syslog from './syslog/index.ts';
import users from './users/index.ts';
import vault from './vault/index.ts';
import webhook from './webhook/index.ts';
import yaml from './yaml/index.ts';

/** Every plugin that comes with the program. A test compares this list with the folders. */
export const BUILTIN_PLUGINS = [
  accounts,
  ansible,
  automationCustomvars,
  automationFilter,
  automationGroups,
  automationInventory,
  automationPlaybookFire,
  automationProjects,
  automationRewrite,
  autorules,
  chat,
  cmkFolderPool,
  cmkPasswords,
  cmkSites,
  cronGroups,
  csv,
  customAttributes,
  files,
  hostObjects,
  jobs,
  json,
  jsonFile,
  keptTypes,
  ldap,
  machineSecrets,
  mail,
  muster,
  netbox,
  notificationRules,
  oidc,
  proxySignIn,
  rest,
  signInGroups,
  sql,
  syslog,
  users,
  vault,
  webhook,
  yaml,
] as unknown as readonly Plugin<never>[];

/** By the id of a plugin, the feature without which what it provides has no effect. */
export const FEATURE_OF_PLUGIN: Readonly<Partial<Record<string, string>>> = {
  'automation-playbook-fire': 'playbooks',
  autorules: 'autorules',
  'notification-rules': 'notifications',
  'sign-in-groups': 'logins',
};
