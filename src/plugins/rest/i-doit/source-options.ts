import * as z from 'zod';
import { madeOnce } from '../../../kit/options/made-once.ts';
import { titled } from '../../../kit/options/titled.ts';
import { flag } from '../../../kit/options/values.ts';
import { phrase } from '../../../kit/worded.ts';
import { AppError } from '../../../ports/index.ts';
import type { AccountOptions } from '../options.ts';

/** Options that i-doit accounts of existing installations have, in addition to parameters of the preset. */
export const idoitSourceMembers = madeOnce(() =>
  titled(
    {
      object_categories: z
        .string()
        .optional()
        .describe(
          'Constants of categories, comma-separated, whose attributes become labels: ip_hostname, ip_2_hostname …; absent: the host addresses, as the preset i-doit has them',
        ),
      filter_cmdb_status: z
        .string()
        .regex(/^\s*(?:\d+\s*(?:,\s*\d+\s*)*,?\s*)?$/, phrase`must be numbers of states with commas between them`)
        .optional()
        .describe(
          'Numbers of the CMDB states whose objects are hosts, comma-separated; empty: all; absent: 6, in operation',
        ),
      filter_monitoring_status: flag()
        .optional()
        .describe('Only objects whose category C__CATG__MONITORING says that they are monitored'),
    },
    {
      Which: {
        object_categories: 'Categories',
        filter_cmdb_status: 'CMDB status',
        filter_monitoring_status: 'Monitoring status',
      },
    },
  ),
);

const MONITORING = 'C__CATG__MONITORING';

/** The same as options of type `rest`. */
export function idoitOptions(given: Readonly<Record<string, unknown>>): Partial<AccountOptions> {
  const categories = listOf(given.object_categories);
  const filters = [given.record_filter, statusFilter(given.filter_cmdb_status)];
  if (given.filter_monitoring_status === true) {
    if (!categories.includes(MONITORING)) {
      throw new AppError('invalid_input', `filter_monitoring_status needs ${MONITORING} among object_categories`);
    }
    filters.push('monitoring_active_value=1');
  }
  const conditions = filters.filter((text) => typeof text === 'string' && text !== '');
  const isFiltered = filters.some((text) => text !== undefined);
  return {
    ...(categories.length === 0 ? {} : { join: JSON.stringify(categories.map(joinOf)) }),
    ...(isFiltered ? { record_filter: conditions.join(' and ') } : {}),
  };
}

function statusFilter(states: unknown): string | undefined {
  if (typeof states !== 'string') return undefined;
  const numbers = listOf(states);
  return numbers.length === 0 ? '' : `cmdb_status~^(${numbers.join('|')})$`;
}

/** Returns the join that reads a category; labels name it by the last word of its constant. */
function joinOf(category: string): Readonly<Record<string, unknown>> {
  const params = { apikey: '{{ api_token }}', language: '{{ language }}', objID: '{id}', category };
  return {
    path: 'src/jsonrpc.php',
    protocol: 'jsonrpc',
    body: JSON.stringify({ version: '2.0', id: 1, method: 'cmdb.category.read', params }),
    data_key: 'result',
    as: category.split('_').at(-1)?.toLowerCase(),
    flat: true,
  };
}

function listOf(text: unknown): readonly string[] {
  if (typeof text !== 'string') return [];
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
