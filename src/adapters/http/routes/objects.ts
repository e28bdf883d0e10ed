import { deleteHost } from '../../../app/operations/hosts/delete-host.ts';
import { explainHost } from '../../../app/operations/hosts/explain-host.ts';
import { getHost } from '../../../app/operations/hosts/get-host.ts';
import { hostHistory } from '../../../app/operations/hosts/host-history.ts';
import { listHosts } from '../../../app/operations/hosts/list-hosts.ts';
import { saveHost } from '../../../app/operations/hosts/save-host.ts';
import { saveHostsBulk } from '../../../app/operations/hosts/save-hosts-bulk.ts';
import { saveInventoriesBulk } from '../../../app/operations/hosts/save-inventories-bulk.ts';
import { saveInventory } from '../../../app/operations/hosts/save-inventory.ts';
import { type OperationRoute, route } from '../route.ts';

const basePath = '/api/v1/objects';
const HOST = `${basePath}/:hostname`;

const offset = { type: 'integer', minimum: 0 };

export const objectRoutes: readonly OperationRoute[] = [
  route(listHosts, {
    method: 'GET',
    path: `${basePath}/all`,
    basePath,
    query: {
      start: {
        kind: 'text',
        description: 'Zero-based offset of the first host; start=0 begins with the first one',
        schema: { ...offset, default: 1 },
      },
      limit: { kind: 'text', description: 'Hosts a page', schema: { ...offset, maximum: 10_000, default: 100 } },
      after: { kind: 'text', description: 'As given by _links.next: makes deep pages fast' },
    },
  }),
  route(saveHostsBulk, { method: 'POST', path: `${basePath}/bulk`, basePath, body: 'required', errors: ['forbidden'] }),
  route(saveInventoriesBulk, { method: 'POST', path: `${basePath}/bulk/inventory`, basePath, body: 'required' }),
  route(getHost, { method: 'GET', path: HOST, basePath, errors: ['not_found'] }),
  route(saveHost, {
    method: 'POST',
    path: HOST,
    basePath,
    body: 'required',
    errors: ['account_conflict', 'forbidden', 'archived'],
  }),
  route(deleteHost, { method: 'DELETE', path: HOST, basePath, errors: ['not_found'] }),
  route(saveInventory, {
    method: 'POST',
    path: `${HOST}/inventory`,
    basePath,
    body: 'required',
    errors: ['not_found'],
  }),
  route(explainHost, {
    method: 'GET',
    path: `${HOST}/explain`,
    basePath,
    query: {
      project: { kind: 'text', description: 'Explains the inventory of this project instead of provider automation' },
    },
    errors: ['not_found'],
  }),
  route(hostHistory, {
    method: 'GET',
    path: `${HOST}/history`,
    basePath,
    query: {
      limit: {
        kind: 'text',
        description: 'Changes at most',
        schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      },
    },
    errors: ['not_found'],
  }),
];
