import { listCronGroups } from '../../../app/operations/cron/list-groups.ts';
import { setCronRunOnceNext } from '../../../app/operations/cron/set-run-once-next.ts';
import { triggerCronWebhook } from '../../../app/operations/cron/trigger-webhook.ts';
import { hostCounters } from '../../../app/operations/hosts/host-counters.ts';
import { getServiceLog } from '../../../app/operations/syncer/get-service-log.ts';
import { listLogs } from '../../../app/operations/syncer/list-logs.ts';
import { type OperationRoute, route } from '../route.ts';

const basePath = '/api/v1/syncer';
/** Nobody is known yet who sends it, and nothing is read from it but its signature. */
const LARGEST_WEBHOOK_BODY = 64 * 1024;

export const syncerRoutes: readonly OperationRoute[] = [
  route(hostCounters, { method: 'GET', path: `${basePath}/hosts`, basePath }),
  route(listLogs, { method: 'GET', path: `${basePath}/logs`, basePath }),
  route(getServiceLog, {
    method: 'GET',
    path: `${basePath}/services/:service_name`,
    basePath,
    errors: ['not_found'],
  }),
  route(listCronGroups, { method: 'GET', path: `${basePath}/cron/`, basePath }),
  route(setCronRunOnceNext, {
    method: 'POST',
    path: `${basePath}/cron/`,
    basePath,
    body: 'required',
    errors: ['read_only', 'not_found', 'conflict'],
  }),
  route(triggerCronWebhook, {
    method: 'POST',
    path: `${basePath}/cron/trigger/:group_name`,
    basePath,
    body: 'optional',
    bytesMember: 'body',
    maxBodyBytes: LARGEST_WEBHOOK_BODY,
    anonymous: true,
    headers: {
      token: { name: 'x-webhook-token', description: 'The token of the group, where it has no signature policy' },
      timestamp: { name: 'x-timestamp', description: 'When the call was signed, Unix seconds' },
      signature: {
        name: 'x-signature-sha256',
        description:
          '`sha256=` and the HMAC-SHA256, hexadecimal, over `<timestamp>.<body>` under the secret of the policy',
      },
    },
    statuses: [202],
    errors: ['read_only', 'forbidden', 'not_found', 'conflict', 'too_large'],
  }),
];
