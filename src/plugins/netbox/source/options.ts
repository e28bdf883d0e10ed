import * as z from 'zod';
import { madeOnce } from '../../../kit/options/made-once.ts';
import { titled } from '../../../kit/options/titled.ts';
import { flag, textList, whole } from '../../../kit/options/values.ts';
import { phrase } from '../../../kit/worded.ts';
import { FilterFault, readImportFilter, readPartFilters } from './filters.ts';
import { PART_IDS, type PartId } from './parts.ts';

const parts = madeOnce(() =>
  textList()
    .refine((names) => names.length > 0 && names.every((name) => (PART_IDS as readonly string[]).includes(name)), {
      message: `must be some of ${PART_IDS.join(', ')}`,
    })
    .transform((names) => names as readonly PartId[]),
);

function readable(read: (text: string) => unknown): z.ZodType<string> {
  return z.string().superRefine((text, context) => {
    try {
      read(text);
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  });
}

const SECTIONS = ['interfaces', 'services'] as const;
export type SectionId = (typeof SECTIONS)[number];

const sections = madeOnce(() =>
  textList()
    .refine((names) => names.every((name) => (SECTIONS as readonly string[]).includes(name)), {
      message: `must be some of ${SECTIONS.join(', ')}`,
    })
    .transform((names) => names as readonly SectionId[]),
);

/** Account options for reading. The names match those of existing installations, if they have one. */
export const sourceMembers = madeOnce(() =>
  titled(
    {
      parts: parts()
        .default(['devices', 'vms'])
        .describe(
          'Kinds of objects to import, comma-separated: devices and vms become hosts; interfaces, vm_interfaces, ips, prefixes, clusters, contacts and services become objects, related to their hosts',
        ),
      sections: sections()
        .default([])
        .describe(
          'Contents of the inventory section netbox of hosts, comma-separated: interfaces (with addresses and the other ends of their cables), services',
        ),
      import_filter: readable(readImportFilter)
        .default('')
        .describe(
          'Filter for devices, virtual machines and interfaces: parameters of the lists of NetBox, role:router,role:firewall,status:active; repeating one means any of its values',
        ),
      part_filters: readable((text) => readPartFilters(text, PART_IDS))
        .default('')
        .describe(
          'Parts with a filter of their own, which counts in place of import_filter: vms=cluster:berlin; prefixes=site:berlin',
        ),
      unnamed_hostname: z
        .string()
        .default('')
        .describe(
          'Template for the name of devices without one, with the members that NetBox gives: {{ device_type.slug }}-{{ asset_tag }}; absent: they are skipped and named in the report',
        ),
      duplicate_hostname: z
        .string()
        .default('')
        .describe(
          'Template for the name of devices and virtual machines that share theirs with others, such as in another site: {{ name }}-{{ site.slug }}; absent: the first is the host, and the others are named in the report',
        ),
      virtual_chassis: z
        .enum(['members', 'master'], { error: phrase`must be members or master` })
        .default('members')
        .describe(
          'members: every device of a virtual chassis is a host, related to the master; master: only the master is one, with interfaces and services of all its members',
        ),
      references: z
        .enum(['members', 'name'], { error: phrase`must be members or name` })
        .default('members')
        .describe(
          'Contents of labels for a site, role, type …: members (site.name, site.slug, status.value), or its name alone (site, status), as existing installations with NETBOX_IMPORT_NESTED have it',
        ),
      config_context: flag()
        .default(false)
        .describe('Take the config context as labels config_context.…, which NetBox computes for each device'),
      relations: flag()
        .default(true)
        .describe(
          'Take relations over: runs_on of virtual machines, member_of of clusters and of virtual chassis, connects_to by cables where interfaces are read',
        ),
      import_as_hosts: flag()
        .refine(
          (isSet) => !isSet,
          phrase`cannot be true: name interfaces and vm_interfaces in parts, and an import makes an object of each; set it to false`,
        )
        .optional()
        .describe('Only false: parts says which interfaces become objects. Existing accounts carry it'),
      full_read_hours: whole(0, 8_760)
        .default(0)
        .describe(
          'Imports read only what changed in NetBox since the last one, and everything again after this many hours; 0: always everything. Only what reads everything archives',
        ),
      page_size: whole(1, 1_000).default(500).describe('Objects that one request asks for'),
    },
    {
      Which: {
        parts: 'Imported objects',
        import_filter: 'Filter',
        part_filters: 'Filters by part',
        import_as_hosts: 'Interfaces as hosts',
      },
      'What becomes of it': {
        sections: 'Contents of the inventory section',
        unnamed_hostname: 'Names of devices without one',
        duplicate_hostname: 'Names of devices that share one',
        virtual_chassis: 'Virtual chassis',
        references: 'Labels of sites, roles and types',
        config_context: 'Config context',
        relations: 'Take over relations',
      },
      Where: { full_read_hours: 'Hours between full reads', page_size: 'Objects a page' },
    },
  ),
);
