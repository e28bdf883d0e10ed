import { hostCounters } from '../../../app/operations/hosts/host-counters.ts';
import { getServiceLog } from '../../../app/operations/syncer/get-service-log.ts';
import { listLogs } from '../../../app/operations/syncer/list-logs.ts';
import { type OperationRoute, route } from '../route.ts';

const basePath = '/api/v1/syncer';

export const syncerRoutes: readonly OperationRoute[] = [
  route(hostCounters, { method: 'GET', path: `${basePath}/hosts`, basePath }),
  route(listLogs, { method: 'GET', path: `${basePath}/logs`, basePath }),
  route(getServiceLog, {
    method: 'GET',
    path: `${basePath}/services/:service_name`,
    basePath,
    errors: ['not_found'],
  }),
];
