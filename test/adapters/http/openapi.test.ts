import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from './http-service.ts';

interface Response {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Documented {
  readonly responses: Readonly<Record<string, Response>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly [member: string]: unknown;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: object;
}

/** Begins as no backup. */
const KEPT = 'muster-20260101T000000000Z.gz';
let folder: string;
let service: HttpService;
let document: Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);
/** Every documented answer that some request below got. */
const seen = new Set<string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-openapi-'));
  const limits = { RATE_LIMIT_401_PER_MINUTE: 0, MAX_BODY_BYTES: 4096 };
  service = await startHttpService({ config: { CMDB_MODE: true, BACKUP_DIR: folder, ...limits } });
  await writeFile(join(folder, KEPT), 'x');
  await service.addAccount('other');
  await service.addUser('reader', { readonly: true });
  await service.addUser('looker', { readonly: true, global_admin: true });
  await service.addUser('roleless', { api_roles: [] });
  document = (await service.request({ url: '/openapi.json', user: null })).json();
  for (const name of ['web1', 'db1']) await save(name);
  await save('foreign', 'other');
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

function save(hostname: string, account = 'crm') {
  return service.request({
    method: 'POST',
    url: `/api/v1/objects/${hostname}`,
    payload: { account, labels: { a: 1 } },
  });
}

function validator(schema: object): ValidateFunction {
  return ajv.compile({ ...schema, components: document.components });
}

/** Sends a request and checks that its answer is one that the document describes for this path and method. */
async function documented(
  path: string,
  request: InjectOptions & { user?: string | null },
  status: number,
): Promise<unknown> {
  const method = (request.method ?? 'GET').toLowerCase();
  const operation = document.paths[path]?.[method];
  expect(operation, `${method} ${path} is documented`).toBeDefined();
  const answer = await service.request(request);
  expect(answer.statusCode, answer.body).toBe(status);
  const response = operation?.responses[status] as Response;
  expect(response, `${method} ${path} documents ${status}`).toBeDefined();
  for (const header of Object.keys(response.headers)) expect(answer.headers).toHaveProperty(header.toLowerCase());
  seen.add(`${method} ${path} ${status}`);
  if (response.content === undefined) return undefined;
  const mediaType = String(answer.headers['content-type']).split(';')[0] as string;
  const content = response.content[mediaType];
  expect(content, `${method} ${path} ${status} documents ${mediaType}`).toBeDefined();
  const body: unknown = mediaType === 'application/json' ? answer.json() : answer.body;
  const validate = validator(content?.schema ?? {});
  expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  return body;
}

const OBJECT = '/api/v1/objects/{hostname}';
const TRIGGER = '/api/v1/syncer/cron/trigger/{group_name}';
const CRON_GROUPS = [
  { name: 'open', enabled: true, webhook_enabled: true },
  { name: 'closed', enabled: true },
  { name: 'off', enabled: false, webhook_enabled: true },
];
const RULES = '/api/v1/rules/{rule_type}';
const FOLDER_RULE = {
  rule_type: 'automation_filter',
  document: { name: 'of a folder', enabled: false, condition_typ: 'anyway', conditions: [], outcomes: [] },
};
const rule = {
  name: 'r',
  enabled: true,
  condition_typ: 'anyway',
  outcomes: [{ attribute_name: 'a', attribute_value: 'b' }],
};
const edge = { type: 'runs_on', target: 'db1' };

/** Path of the document, request, status. */
const ANSWERS: readonly [string, InjectOptions & { user?: string | null }, number][] = [
  ['/api/v1/objects/all', { url: '/api/v1/objects/all?start=0&limit=1' }, 200],
  ['/api/v1/objects/all', { url: '/api/v1/objects/all?limit=x' }, 400],
  ['/api/v1/objects/search', { url: '/api/v1/objects/search?where=site:fra%20seen%3C2d&sort=-site' }, 200],
  ['/api/v1/objects/search', { url: '/api/v1/objects/search?where=site:' }, 400],
  [
    '/api/v1/objects/search/saved',
    { method: 'POST', url: '/api/v1/objects/search/saved', payload: { name: 'all', where: 'site:*' } },
    200,
  ],
  ['/api/v1/objects/search/saved', { url: '/api/v1/objects/search/saved' }, 200],
  ['/api/v1/objects/search/saved/{name}', { method: 'DELETE', url: '/api/v1/objects/search/saved/all' }, 200],
  ['/api/v1/objects/search/saved/{name}', { method: 'DELETE', url: '/api/v1/objects/search/saved/none' }, 404],
  [
    '/api/v1/notifications/searches',
    { method: 'POST', url: '/api/v1/notifications/searches', payload: { receiver: 'none' } },
    404,
  ],
  [
    '/api/v1/objects/search/table',
    { url: '/api/v1/objects/search/table?where=site:*&columns=name,site&format=json' },
    200,
  ],
  ['/api/v1/objects/search/table', { url: '/api/v1/objects/search/table?where=site:' }, 400],
  ['/api/v1/objects/count', { url: '/api/v1/objects/count?fields=site,account' }, 200],
  ['/api/v1/objects/count', { url: '/api/v1/objects/count?states=true' }, 200],
  ['/api/v1/objects/quality', { url: '/api/v1/objects/quality' }, 200],
  ['/api/v1/objects/quality', { url: '/api/v1/objects/quality?limit=0' }, 400],
  ['/api/v1/objects/by-key', { url: '/api/v1/objects/by-key?key=serial%3DJ4711' }, 200],
  ['/api/v1/objects/by-key', { url: '/api/v1/objects/by-key?key=J4711' }, 400],
  [
    '/api/v1/objects/bulk',
    { method: 'POST', url: '/api/v1/objects/bulk', payload: { account: 'crm', objects: [] } },
    200,
  ],
  ['/api/v1/objects/bulk', { method: 'POST', url: '/api/v1/objects/bulk', payload: { account: 'crm' } }, 400],
  [
    '/api/v1/objects/bulk/inventory',
    {
      method: 'POST',
      url: '/api/v1/objects/bulk/inventory',
      payload: { inventories: [{ hostname: 'none', key: 'k', inventory: {} }] },
    },
    200,
  ],
  [OBJECT, { url: '/api/v1/objects/web1' }, 200],
  [OBJECT, { url: '/api/v1/objects/none' }, 404],
  [OBJECT, { url: '/api/v1/objects/web1', user: null }, 401],
  [OBJECT, { url: '/api/v1/objects/web1', user: 'roleless' }, 401],
  [OBJECT, { method: 'POST', url: '/api/v1/objects/web1', payload: { account: 'crm', labels: {} } }, 200],
  [OBJECT, { method: 'POST', url: '/api/v1/objects/web1', payload: { account: 'none', labels: {} } }, 400],
  [OBJECT, { method: 'POST', url: '/api/v1/objects/foreign', payload: { account: 'crm', labels: {} } }, 403],
  [OBJECT, { method: 'POST', url: '/api/v1/objects/web1', payload: {}, user: 'reader' }, 403],
  [OBJECT, { method: 'POST', url: '/api/v1/objects/web1', payload: 'x', headers: { 'content-type': 'text/csv' } }, 415],
  [OBJECT, { method: 'POST', url: '/api/v1/objects/web1', payload: { account: 'x'.repeat(5000) } }, 413],
  [OBJECT, { method: 'DELETE', url: '/api/v1/objects/none' }, 404],
  [
    `${OBJECT}/inventory`,
    { method: 'POST', url: '/api/v1/objects/web1/inventory', payload: { key: 'k', inventory: { a: [1] } } },
    200,
  ],
  [
    `${OBJECT}/inventory`,
    { method: 'POST', url: '/api/v1/objects/web1/inventory', payload: { key: 'a.b', inventory: {} } },
    400,
  ],
  [
    `${OBJECT}/inventory`,
    { method: 'POST', url: '/api/v1/objects/none/inventory', payload: { key: 'k', inventory: {} } },
    404,
  ],
  [`${OBJECT}/history`, { url: '/api/v1/objects/web1/history' }, 200],
  [`${OBJECT}/explain`, { url: '/api/v1/objects/web1/explain' }, 200],
  [`${OBJECT}/explain`, { url: '/api/v1/objects/none/explain' }, 404],
  [`${OBJECT}/values-since`, { url: '/api/v1/objects/web1/values-since' }, 200],
  [`${OBJECT}/values-since`, { url: '/api/v1/objects/none/values-since' }, 404],
  [
    `${OBJECT}/corrections`,
    { method: 'POST', url: '/api/v1/objects/web1/corrections', payload: { attribute: 'rack', value: 'R12' } },
    200,
  ],
  [
    `${OBJECT}/corrections`,
    { method: 'POST', url: '/api/v1/objects/none/corrections', payload: { attribute: 'rack', value: 'R12' } },
    404,
  ],
  [`${OBJECT}/comments`, { method: 'POST', url: '/api/v1/objects/web1/comments', payload: { text: 'hello' } }, 200],
  [`${OBJECT}/comments`, { method: 'POST', url: '/api/v1/objects/none/comments', payload: { text: 'hello' } }, 404],
  [`${OBJECT}/comments`, { url: '/api/v1/objects/web1/comments?limit=1' }, 200],
  [`${OBJECT}/comments/{id}`, { method: 'DELETE', url: '/api/v1/objects/web1/comments/unknown' }, 404],
  [`${OBJECT}/relations`, { method: 'POST', url: '/api/v1/objects/web1/relations', payload: edge }, 200],
  [
    `${OBJECT}/relations`,
    { method: 'POST', url: '/api/v1/objects/web1/relations', payload: { ...edge, type: 'x' } },
    400,
  ],
  [`${OBJECT}/relations`, { url: '/api/v1/objects/web1/relations' }, 200],
  [
    '/api/v1/objects/labels',
    {
      method: 'POST',
      url: '/api/v1/objects/labels',
      payload: { hosts: [{ hostname: 'web1', set: { site: 'x' } }], dry_run: true },
    },
    200,
  ],
  ['/api/v1/objects/labels', { method: 'POST', url: '/api/v1/objects/labels', payload: { hosts: [] } }, 400],
  ['/api/v1/objects/report', { url: '/api/v1/objects/report?rows=site&columns=account' }, 200],
  ['/api/v1/objects/report', { url: '/api/v1/objects/report' }, 400],
  [`${OBJECT}/graph`, { url: '/api/v1/objects/web1/graph?hops=1' }, 200],
  [`${OBJECT}/graph`, { url: '/api/v1/objects/none/graph' }, 404],
  [`${OBJECT}/relations`, { url: '/api/v1/objects/db1/relations' }, 200],
  [`${OBJECT}/relations`, { method: 'DELETE', url: '/api/v1/objects/web1/relations', payload: edge }, 200],
  [`${OBJECT}/relations`, { method: 'DELETE', url: '/api/v1/objects/none/relations', payload: edge }, 404],
  ['/api/v1/rules/types', { url: '/api/v1/rules/types' }, 200],
  [RULES, { method: 'POST', url: '/api/v1/rules/custom_attributes', payload: rule }, 201],
  [RULES, { method: 'POST', url: '/api/v1/rules/custom_attributes', payload: [rule, {}] }, 200],
  [RULES, { url: '/api/v1/rules/custom_attributes' }, 200],
  [RULES, { url: '/api/v1/rules/nonsense' }, 404],
  ['/api/v1/rules/export', { url: '/api/v1/rules/export?include_users=1&include_hosts=1' }, 200],
  [
    '/api/v1/rules/import',
    { method: 'POST', url: '/api/v1/rules/import', payload: { rules: { custom_attributes: [rule] } } },
    200,
  ],
  [
    '/api/v1/rules/import',
    {
      method: 'POST',
      url: '/api/v1/rules/import',
      payload: { rules: { custom_attributes: [{ ...rule, name: 's' }] } },
    },
    201,
  ],
  ['/api/v1/rules/import', { method: 'POST', url: '/api/v1/rules/import', payload: { rules: 1 } }, 400],
  [
    '/api/v1/migration/check',
    { method: 'POST', url: '/api/v1/migration/check', payload: { rules: { custom_attributes: [rule] } } },
    200,
  ],
  ['/api/v1/migration/check', { method: 'POST', url: '/api/v1/migration/check', payload: { rules: 1 } }, 400],
  ['/api/v1/rules/documents', { url: '/api/v1/rules/documents' }, 200],
  ['/api/v1/rules/diff', { method: 'POST', url: '/api/v1/rules/diff', payload: { documents: [FOLDER_RULE] } }, 200],
  ['/api/v1/rules/diff', { method: 'POST', url: '/api/v1/rules/diff', payload: { documents: [] } }, 400],
  ['/api/v1/rules/apply', { method: 'POST', url: '/api/v1/rules/apply', payload: { documents: [FOLDER_RULE] } }, 200],
  [
    '/api/v1/rules/apply',
    { method: 'POST', url: '/api/v1/rules/apply', payload: { documents: [FOLDER_RULE], basis: 'another' } },
    409,
  ],
  ['/api/v1/rules/removed', { url: '/api/v1/rules/removed?rule_type=custom_attributes&limit=5' }, 200],
  ['/api/v1/rules/removed', { url: '/api/v1/rules/removed?limit=0' }, 400],
  [
    '/api/v1/rules/{rule_type}/move',
    { method: 'POST', url: '/api/v1/rules/automation_filter/move', payload: { rules: ['nosuch'], to: 'last' } },
    404,
  ],
  [
    '/api/v1/rules/{rule_type}/enabled',
    { method: 'POST', url: '/api/v1/rules/automation_filter/enabled', payload: { rules: [], enabled: true } },
    400,
  ],
  [
    '/api/v1/rules/{rule_type}/remove',
    { method: 'POST', url: '/api/v1/rules/automation_filter/remove', payload: { rules: ['nosuch'] } },
    404,
  ],
  [
    '/api/v1/rules/{rule_type}/failing-hosts',
    { url: '/api/v1/rules/custom_attributes/failing-hosts?rule=r&seconds=5&limit=10' },
    200,
  ],
  [
    '/api/v1/rules/{rule_type}/failing-hosts',
    { url: '/api/v1/rules/custom_attributes/failing-hosts?rule=nosuch' },
    404,
  ],
  [RULES, { method: 'POST', url: '/api/v1/rules/automation_projects', payload: { name: 'p', enabled: true } }, 201],
  ['/api/v1/rules/projects/{project}', { url: '/api/v1/rules/projects/p?seconds=0' }, 200],
  ['/api/v1/rules/projects/{project}', { url: '/api/v1/rules/projects/nosuch' }, 404],
  [
    '/api/v1/rules/projects/{project}/enabled',
    { method: 'POST', url: '/api/v1/rules/projects/p/enabled', payload: { enabled: false } },
    200,
  ],
  ['/api/v1/rules/hits', { url: '/api/v1/rules/hits?seconds=0' }, 200],
  ['/api/v1/rules/hits', { url: '/api/v1/rules/hits?seconds=-1' }, 400],
  ['/api/v1/rules/conditions', { url: '/api/v1/rules/conditions?where=site:fra' }, 200],
  ['/api/v1/rules/conditions', { url: '/api/v1/rules/conditions?where=site:' }, 400],
  ['/api/v1/rules/uses', { url: '/api/v1/rules/uses?attribute=site' }, 200],
  ['/api/v1/rules/uses', { url: '/api/v1/rules/uses' }, 400],
  ['/api/v1/rules/autorules/preview', { url: '/api/v1/rules/autorules/preview' }, 200],
  ['/api/v1/rules/autorules', { url: '/api/v1/rules/autorules' }, 200],
  [
    '/api/v1/rules/autorules/undo',
    { method: 'POST', url: '/api/v1/rules/autorules/undo', payload: { began_at: '2026-01-01T00:00:00.000Z' } },
    404,
  ],
  ['/api/v1/rules/autorules', { method: 'POST', url: '/api/v1/rules/autorules' }, 200],
  ['/api/v1/inventory/automation', { url: '/api/v1/inventory/automation' }, 200],
  ['/api/v1/inventory/automation/{provider}', { url: '/api/v1/inventory/automation/automation' }, 200],
  ['/api/v1/inventory/automation/{provider}', { url: '/api/v1/inventory/automation/automation?host=web1' }, 200],
  ['/api/v1/inventory/automation/{provider}', { url: '/api/v1/inventory/automation/none' }, 404],
  [
    '/api/v1/inventory/automation/{provider}/changes',
    { url: '/api/v1/inventory/automation/automation/changes?since=24h' },
    200,
  ],
  [
    '/api/v1/inventory/automation/{provider}/changes',
    { url: '/api/v1/inventory/automation/automation/changes?since=soon' },
    400,
  ],
  ['/api/v1/inventory/automation/{provider}/changes', { url: '/api/v1/inventory/automation/none/changes' }, 404],
  [
    '/api/v1/inventory/automation/{provider}',
    { url: '/api/v1/inventory/automation/automation', headers: { 'if-none-match': '*' } },
    304,
  ],
  ['/api/v1/backups', { url: '/api/v1/backups' }, 200],
  ['/api/v1/backups', { url: '/api/v1/backups', user: 'roleless' }, 401],
  ['/api/v1/backups', { method: 'POST', url: '/api/v1/backups' }, 200],
  ['/api/v1/backups/{file}', { url: `/api/v1/backups/${KEPT}` }, 200],
  ['/api/v1/backups/{file}', { url: `/api/v1/backups/${KEPT}`, user: 'looker' }, 403],
  ['/api/v1/backups/{file}', { url: '/api/v1/backups/none' }, 404],
  ['/api/v1/backups/{file}/verify', { method: 'POST', url: `/api/v1/backups/${KEPT}/verify` }, 502],
  ['/api/v1/backups/{file}/verify', { method: 'POST', url: '/api/v1/backups/none/verify' }, 404],
  ['/api/v1/support-bundle', { url: '/api/v1/support-bundle' }, 200],
  ['/api/v1/plugins', { url: '/api/v1/plugins' }, 200],
  ['/api/v1/presets', { url: '/api/v1/presets' }, 200],
  ['/api/v1/published/{account}', { url: '/api/v1/published/crm' }, 200],
  ['/api/v1/published/{account}/{file}', { url: '/api/v1/published/crm/none' }, 404],
  ['/api/v1/runs', { url: '/api/v1/runs?kind=import&limit=5' }, 200],
  ['/api/v1/runs', { url: '/api/v1/runs?kind=walk' }, 400],
  ['/api/v1/runs/{place}', { url: `/api/v1/runs/1-${'0'.repeat(24)}` }, 404],
  ['/api/v1/changes', { url: '/api/v1/changes?from=2026-01-31&limit=5' }, 200],
  ['/api/v1/changes', { url: '/api/v1/changes?from=yesterday' }, 400],
  ['/api/v1/changes/feed', { url: '/api/v1/changes/feed?since=start&limit=5' }, 200],
  ['/api/v1/changes/feed', { url: '/api/v1/changes?since=start' }, 200],
  ['/api/v1/changes/feed', { url: `/api/v1/changes/feed?since=${'A'.repeat(22)}` }, 410],
  ['/api/v1/changes/stream', { url: `/api/v1/changes/stream?since=${'A'.repeat(22)}` }, 410],
  ['/api/v1/runs/active', { url: '/api/v1/runs/active' }, 200],
  ['/api/v1/runs/{place}/undo', { method: 'POST', url: `/api/v1/runs/0-${'0'.repeat(24)}/undo` }, 404],
  ['/api/v1/runs/active/{run}/cancel', { method: 'POST', url: '/api/v1/runs/active/none/cancel' }, 404],
  ['/api/v1/sign-in/methods', { url: '/api/v1/sign-in/methods' }, 200],
  ['/api/v1/sign-in/test', { method: 'POST', url: '/api/v1/sign-in/test', payload: { method: 'none' } }, 404],
  ['/api/v1/notifications', { url: '/api/v1/notifications' }, 200],
  [
    '/api/v1/notifications/test',
    { method: 'POST', url: '/api/v1/notifications/test', payload: { receiver: 'none' } },
    404,
  ],
  ['/api/v1/notifications/{notification}/retry', { method: 'POST', url: '/api/v1/notifications/none/retry' }, 404],
  ['/api/v1/plans', { url: '/api/v1/plans' }, 200],
  ['/api/v1/plans', { method: 'POST', url: '/api/v1/plans', payload: { account: 'none' } }, 404],
  ['/api/v1/plans/{plan}', { url: '/api/v1/plans/none' }, 404],
  ['/api/v1/plans/{plan}/approve', { method: 'POST', url: '/api/v1/plans/none/approve' }, 404],
  ['/api/v1/plans/{plan}/discard', { method: 'POST', url: '/api/v1/plans/none/discard' }, 404],
  ['/api/v1/plans/{plan}/apply', { method: 'POST', url: '/api/v1/plans/none/apply' }, 404],
  ['/api/v1/syncer/hosts', { url: '/api/v1/syncer/hosts' }, 200],
  ['/api/v1/syncer/hosts/days', { url: '/api/v1/syncer/hosts/days?days=7' }, 200],
  ['/api/v1/syncer/hosts/days', { url: '/api/v1/syncer/hosts/days?account=nobody' }, 404],
  ['/api/v1/syncer/logs', { url: '/api/v1/syncer/logs' }, 200],
  ['/api/v1/syncer/services/{service_name}', { url: '/api/v1/syncer/services/none' }, 404],
  [RULES, { method: 'POST', url: '/api/v1/rules/cron_groups', payload: CRON_GROUPS }, 201],
  ['/api/v1/syncer/cron/', { url: '/api/v1/syncer/cron/' }, 200],
  [
    '/api/v1/syncer/cron/',
    { method: 'POST', url: '/api/v1/syncer/cron/', payload: { job_name: 'open', run_once_next: true } },
    200,
  ],
  [
    '/api/v1/syncer/cron/',
    { method: 'POST', url: '/api/v1/syncer/cron/', payload: { job_name: 'none', run_once_next: true } },
    404,
  ],
  ['/api/v1/syncer/cron/', { method: 'POST', url: '/api/v1/syncer/cron/', payload: { job_name: 'open' } }, 400],
  ['/api/v1/syncer/cron/pause', { method: 'POST', url: '/api/v1/syncer/cron/pause', payload: { until: null } }, 200],
  ['/api/v1/syncer/cron/pause', { method: 'POST', url: '/api/v1/syncer/cron/pause', payload: { until: 'x' } }, 400],
  [TRIGGER, { method: 'POST', url: '/api/v1/syncer/cron/trigger/open' }, 202],
  [TRIGGER, { method: 'POST', url: '/api/v1/syncer/cron/trigger/open', user: null }, 401],
  [TRIGGER, { method: 'POST', url: '/api/v1/syncer/cron/trigger/closed' }, 403],
  [TRIGGER, { method: 'POST', url: '/api/v1/syncer/cron/trigger/none' }, 404],
  [TRIGGER, { method: 'POST', url: '/api/v1/syncer/cron/trigger/off' }, 409],
  [TRIGGER, { method: 'POST', url: '/api/v1/syncer/cron/trigger/open', payload: Buffer.alloc(5000) }, 413],
  ['/api/v1/syncer/cron/run/{group_name}', { method: 'POST', url: '/api/v1/syncer/cron/run/none' }, 404],
  ['/api/v1/syncer/cron/run/{group_name}', { method: 'POST', url: '/api/v1/syncer/cron/run/off' }, 409],
  ['/api/v1/objects/purge', { method: 'POST', url: '/api/v1/objects/purge', payload: { hostnames: ['none'] } }, 200],
  ['/api/v1/objects/purge', { method: 'POST', url: '/api/v1/objects/purge', payload: {} }, 400],
  [
    '/api/v1/objects/purge',
    { method: 'POST', url: '/api/v1/objects/purge', payload: { hostnames: ['none'], expected: 3 } },
    409,
  ],
  ['/healthz', { url: '/healthz' }, 200],
  ['/readyz', { url: '/readyz' }, 200],
  ['/metrics', { url: '/metrics' }, 200],
  ['/metrics', { url: '/metrics', user: null, remoteAddress: '192.0.2.7' }, 401],
  ['/openapi.json', { url: '/openapi.json' }, 200],
  ['/docs', { url: '/docs' }, 200],
  ['/docs/openapi', { url: '/docs/openapi' }, 200],
  [OBJECT, { method: 'DELETE', url: '/api/v1/objects/web1' }, 200],
];

/** The same behind the path by which hosts of any name are reached. The host itself is deleted once, at the end. */
const BY_NAME: typeof ANSWERS = ANSWERS.slice(0, -1)
  .filter(([path, { method }, status]) => path.startsWith(OBJECT) && (status === 200 || method === 'DELETE'))
  .map(([path, { url, ...request }, status]) => [
    path.replace('/objects/', '/objects/by-name/'),
    { ...request, url: String(url).replace('/objects/', '/objects/by-name/') },
    status,
  ]);

describe('the OpenAPI document', () => {
  it('is the one that was agreed on', async () => {
    const { body } = await service.request({ url: '/openapi.json', user: null });
    await expect(`${JSON.stringify(JSON.parse(body), null, 2)}\n`).toMatchFileSnapshot('./fixtures/openapi.json');
  });

  it.each([...ANSWERS.slice(0, -1), ...BY_NAME, ...ANSWERS.slice(-1)])(
    'describes the answer of %s to %j: %i',
    async (path, request, status) => {
      await documented(path, request, status);
    },
  );

  it('has no path and method that no request above tried', async () => {
    const tried = new Set([...seen].map((key) => key.slice(0, key.lastIndexOf(' '))));
    const untried = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).flatMap((method) => (tried.has(`${method} ${path}`) ? [] : `${method} ${path}`)),
    );
    expect(untried).toEqual([]);
  });

  it('describes the bodies that are accepted', () => {
    const body = (path: string): ValidateFunction =>
      validator(document.paths[path]?.post?.requestBody?.content['application/json']?.schema ?? {});
    expect(body(OBJECT)({ account: 'crm', labels: { a: ['x', 1, true, null] } })).toBe(true);
    expect(body(OBJECT)({ account: 'crm', labels: { a: { b: 1 } } })).toBe(false);
    expect(body(OBJECT)({ account: 'crm' })).toBe(false);
    expect(body(`${OBJECT}/relations`)({ type: 'runs_on', target: 'db1' })).toBe(true);
    expect(body(`${OBJECT}/relations`)({ type: 'likes', target: 'db1' })).toBe(false);
    expect(body(RULES)([rule])).toBe(true);
    expect(body('/api/v1/rules/import')({ rule_type: 'custom_attributes', rules: [rule] })).toBe(true);
    expect(body('/api/v1/rules/import')([rule])).toBe(false);
  });

  it('says what linters and generators of clients ask for', () => {
    expect(document).toMatchObject({
      servers: [{ url: '/' }],
      info: { license: { identifier: 'Apache-2.0' }, contact: { name: 'Muster' } },
    });
    const described = (document as unknown as { tags: { name: string; description?: string }[] }).tags;
    expect(described.filter(({ description }) => !description)).toEqual([]);
    const tags = new Set(described.map(({ name }) => name));
    for (const [path, operation] of Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => [path, operation] as const),
    )) {
      expect(operation, path).toMatchObject({
        description: expect.stringMatching(/./),
        operationId: expect.anything(),
      });
      for (const tag of operation.tags as string[]) expect(tags, path).toContain(tag);
      const bodies = operation.requestBody?.content ?? {};
      expect(Object.keys(bodies), path).not.toContain('*/*');
      // oapi-codegen sends nothing of a body that is a choice, unless the choice has a name of its own.
      for (const { schema } of Object.values(bodies)) expect(schema, path).not.toHaveProperty('anyOf');
    }
    // oapi-codegen takes one type, and null beside it; more than that has to be a choice of schemas.
    const text = JSON.stringify(document);
    const lists = [...text.matchAll(/"type":(\[[^\]]*\])/g)].map(([, list]) => JSON.parse(list as string) as string[]);
    expect(lists.filter((list) => list.filter((type) => type !== 'null').length > 1)).toEqual([]);
  });

  it('hides what is not there', async () => {
    const plain = await startHttpService();
    const paths = Object.keys((await plain.request({ url: '/openapi.json', user: null })).json().paths);
    await plain.stop();
    expect(paths).not.toContain(`${OBJECT}/relations`);
    expect(paths).not.toContain('/api/v1/inventory/ansible');
    expect(paths).toContain(OBJECT);
  });
});
