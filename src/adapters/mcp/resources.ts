import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { getHost } from '../../app/hosts/operations/get-host.ts';
import { listRules } from '../../app/rules/operations/list-rules.ts';
import { statusOf } from '../../app/runs/cron/group-status.ts';
import { listCronGroups } from '../../app/runs/cron/operations/list-groups.ts';
import { AppError } from '../../ports/index.ts';
import type { OperationCall } from './operation-call.ts';

/**
 * Characters of a resource. It is attached by users as a whole, so it is not cut like answers of tools; larger ones are refused.
 */
const RESOURCE_CHARACTERS = 16 * 1024 * 1024;

export const JSON_TYPE = 'application/json';

/** Data with addresses of their own, read by the operations that tools and REST use. */
interface ResourceFamily {
  /** Address with at most one variable. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  read(variable: string, call: OperationCall): Promise<string>;
}

const FAMILIES: readonly ResourceFamily[] = [
  {
    uri: 'service://hosts/{hostname}',
    name: 'host',
    title: 'Host',
    description: 'A single host record: labels, inventory and last-seen timestamps.',
    read: async (hostname, call) => JSON.stringify(await call.value(getHost, { hostname })),
  },
  {
    uri: 'service://rules/{rule_type}',
    name: 'rules',
    title: 'Rules of one type',
    description: 'Every rule document of one type, as stored.',
    async read(rule_type, call) {
      const { text, whole } = await call.text(listRules, { rule_type }, RESOURCE_CHARACTERS);
      if (whole) return text;
      throw new AppError(
        'too_large',
        `the rules of type ${rule_type} are longer than ${RESOURCE_CHARACTERS} characters; get them in parts with the tool export_rules`,
      );
    },
  },
  {
    uri: 'service://cron/status',
    name: 'cron-status',
    title: 'Status of cron groups',
    description: 'Status of each cron group: last start, next run, and the message of its last run.',
    async read(_variable, call) {
      const { groups } = await call.value(listCronGroups, {});
      return JSON.stringify({ groups: groups.map(statusOf) });
    },
  },
];

const VARIABLE = /\{\w+\}$/;

export const RESOURCES: readonly Resource[] = FAMILIES.filter(({ uri }) => !VARIABLE.test(uri)).map(
  ({ read: _, ...family }) => ({ ...family, mimeType: JSON_TYPE }),
);

export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = FAMILIES.filter(({ uri }) => VARIABLE.test(uri)).map(
  ({ read: _, uri, ...family }) => ({ ...family, uriTemplate: uri, mimeType: JSON_TYPE }),
);

/** Returns the JSON text of a resource. The value of a variable is percent-decoded once. */
export async function readResource(uri: string, call: OperationCall): Promise<string> {
  for (const family of FAMILIES) {
    const start = family.uri.replace(VARIABLE, '');
    if (start === family.uri) {
      if (uri === start) return family.read('', call);
    } else if (uri.startsWith(start) && uri.length > start.length) {
      return family.read(decoded(uri.slice(start.length)), call);
    }
  }
  const known = FAMILIES.map((family) => family.uri).join(', ');
  throw new AppError('not_found', `there is no resource ${uri}; known ones: ${known}`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new AppError('invalid_input', `${part} is not percent-encoded correctly`, { cause });
  }
}
