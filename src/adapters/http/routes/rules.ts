import { exportRules } from '../../../app/operations/rules/export-rules.ts';
import { importRules } from '../../../app/operations/rules/import-rules.ts';
import { importRulesOfType } from '../../../app/operations/rules/import-rules-of-type.ts';
import { listRuleTypes } from '../../../app/operations/rules/list-rule-types.ts';
import { listRules } from '../../../app/operations/rules/list-rules.ts';
import { runAutorules } from '../../../app/operations/rules/run-autorules.ts';
import { type OperationRoute, type QueryParameter, route } from '../route.ts';

const basePath = '/api/v1/rules';

const imports: Readonly<Record<string, QueryParameter>> = {
  override: { kind: 'flag', description: '1 replaces existing rules instead of counting them as duplicates' },
  dry_run: { kind: 'flag', description: '1 only counts and checks' },
};

const rule = { type: 'object', description: 'A rule document, as exported' };
const listOfRules = { type: 'array', items: rule };

export const ruleRoutes: readonly OperationRoute[] = [
  route(listRuleTypes, { method: 'GET', path: `${basePath}/types`, basePath }),
  route(exportRules, {
    method: 'GET',
    path: `${basePath}/export`,
    basePath,
    query: {
      include_hosts: { kind: 'flag', description: 'Also host objects' },
      include_accounts: { kind: 'flag', description: 'Also accounts' },
      include_users: { kind: 'flag', description: 'Also users with password hashes and roles; secret' },
      include_passwords: { kind: 'flag', description: 'Also the monitoring password store, encrypted; secret' },
    },
    errors: ['forbidden'],
  }),
  route(importRules, {
    method: 'POST',
    path: `${basePath}/import`,
    basePath,
    body: 'required',
    bodySchema: {
      anyOf: [
        {
          type: 'object',
          required: ['rule_type', 'rules'],
          properties: {
            rule_type: { type: 'string' },
            rules: listOfRules,
            override: { type: 'boolean', default: false },
          },
        },
        {
          type: 'object',
          required: ['rules'],
          properties: {
            rules: { type: 'object', additionalProperties: listOfRules, description: 'Lists of rules by rule type' },
            override: { type: 'boolean', default: false },
          },
        },
      ],
    },
    textMember: 'lines',
    query: {
      ...imports,
      rule_type: { kind: 'text', description: 'JSON lines: the type of rules before the first header line' },
    },
    statuses: [200, 201],
    status: (answer) => (answer.total > 0 || Object.values(answer.kept ?? {}).some((count) => count > 0) ? 201 : 200),
    errors: ['forbidden', 'conflict'],
  }),
  route(runAutorules, {
    method: 'POST',
    path: `${basePath}/autorules`,
    basePath,
    body: 'optional',
    errors: ['failed', 'conflict', 'forbidden'],
  }),
  route(listRules, { method: 'GET', path: `${basePath}/:rule_type`, basePath, errors: ['not_found', 'forbidden'] }),
  route(importRulesOfType, {
    method: 'POST',
    path: `${basePath}/:rule_type`,
    basePath,
    body: 'required',
    bodyMember: 'rules',
    bodySchema: { anyOf: [rule, listOfRules] },
    query: imports,
    statuses: [201, 200],
    status: (answer) => (answer.imported > 0 ? 201 : 200),
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
];
