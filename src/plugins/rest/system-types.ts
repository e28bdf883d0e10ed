import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag } from '../../kit/options/values.ts';
import { idoitOptions, idoitSourceMembers } from './i-doit/source-options.ts';
import { idoitTargetMembers } from './i-doit/target-options.ts';
import { JIRA_ADDRESS, jiraTargetMembers } from './jira/target-options.ts';
import { type AccountOptions, accountOptions } from './options.ts';
import { relatedOptions } from './service-now/related-options.ts';
import { CISCO_DNA_PARTS, JDISC_PARTS, SERVICENOW_PARTS, type SystemPart } from './system-parts.ts';

/** A type of accounts for one system, as existing installations have it: the source `rest` with a preset. */
export interface SystemType {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly preset: string;
  /** Parameters of the preset that are options of such accounts. */
  readonly parameters: readonly string[];
  /** Parts that can be read separately; without parts, the preset itself is read. */
  readonly parts?: readonly SystemPart[];
  /** Options that change nothing for type `rest`: those that stored accounts carry, and those of a part. */
  readonly ignored?: () => Readonly<Record<string, z.ZodType>>;
  /** Further options, and what they are for type `rest`. */
  readonly own?: {
    shape(): Readonly<Record<string, z.ZodType>>;
    options(given: Readonly<Record<string, unknown>>): Partial<AccountOptions>;
  };
}

const unnamedDevices = madeOnce(() =>
  titled(
    {
      import_unnamed_devices: flag()
        .refine((isSet) => !isSet, 'cannot be true: a device without a name is not a host here; set it to false')
        .optional()
        .describe('Only false: devices without a name are left out. Existing accounts carry it'),
    },
    { Which: { import_unnamed_devices: 'Devices without a name' } },
  ),
);

/** The type of accounts for both import and export. */
export const JIRA_CLOUD: SystemType = {
  id: 'jira_cloud',
  title: 'Jira Cloud',
  description: 'Objects of Assets that a query finds.',
  preset: 'jira-assets',
  parameters: ['workspace_id', 'ql_query'],
  own: {
    shape: jiraTargetMembers,
    options: ({ url }) => ({ url: typeof url === 'string' ? url : JIRA_ADDRESS }),
  },
};

/** Likewise. */
export const IDOIT: SystemType = {
  id: 'i-doit',
  title: 'i-doit',
  description: 'Objects of some types by JSON-RPC.',
  preset: 'i-doit',
  parameters: ['object_types', 'language'],
  own: { shape: () => ({ ...idoitSourceMembers(), ...idoitTargetMembers() }), options: idoitOptions },
};

export const SYSTEM_TYPES: readonly SystemType[] = [
  {
    id: 'servicenow',
    title: 'ServiceNow',
    description: 'Records of tables of the CMDB by the Table API.',
    preset: 'servicenow',
    parameters: ['api_path', 'tables', 'sysparm_query', 'sysparm_fields', 'sysparm_display_value'],
    parts: SERVICENOW_PARTS,
    ignored: relatedOptions,
  },
  {
    id: 'prtg',
    title: 'PRTG',
    description: 'Devices of PRTG Network Monitor.',
    preset: 'prtg',
    parameters: [],
  },
  {
    id: 'jdisc',
    title: 'JDisc',
    description: 'Devices of JDisc Discovery by GraphQL.',
    preset: 'jdisc',
    parts: JDISC_PARTS,
    parameters: [],
    ignored: unnamedDevices,
  },
  JIRA_CLOUD,
  IDOIT,
  {
    id: 'cisco_dna',
    title: 'Cisco DNA Center',
    description: 'Network devices by the Intent API.',
    preset: 'cisco-dna',
    parts: CISCO_DNA_PARTS,
    parameters: [],
  },
];

/** The options of such an account: those of type `rest`, and the parameters of its preset under their own names. */
export function systemOptions({ preset, parameters, ignored, own }: SystemType): z.ZodObject {
  const { preset: _, ...shape } = accountOptions().shape;
  const named = parameters.map((name) => [
    name,
    z.string().optional().describe(`The parameter ${name} of the preset ${preset}`),
  ]);
  return z.strictObject({ ...shape, ...Object.fromEntries(named), ...own?.shape(), ...ignored?.() });
}
