import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag, textList, whole } from '../../kit/options/values.ts';
import { phrase, schemaText, worded } from '../../kit/worded.ts';

/** The shapes that files can have. */
const SHAPES = [
  'csv',
  'json',
  'yaml',
  'ansible',
  'ssh_config',
  'known_hosts',
  'hosts',
  'dns_zone',
  'file_sd',
  'tfvars',
  'template',
] as const;
/** Those of which `fields` says what they write of a host. */
export const SHAPES_WITH_FIELDS: readonly (typeof SHAPES)[number][] = [
  'csv',
  'json',
  'yaml',
  'ansible',
  'file_sd',
  'tfvars',
];
const ESCAPES = ['lines', 'json', 'xml', 'shell', 'none'] as const;
const GROUP_NAMES = ['identifier', 'kept'] as const;
const VARIABLE_NAMES = ['identifier', 'keep'] as const;
const LAYOUTS = ['file', 'tree'] as const;

const text = (): z.ZodDefault<z.ZodString> => z.string().default('');

const zoneName = madeOnce(() => z.string().regex(/^$|^\w[\w-]*(\.\w[\w-]*)*\.?$/, phrase`must be a name of the DNS`));

const shapeOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        path: z
          .string()
          .min(1, phrase`is required`)
          .describe(
            'The file; with {{ … }} one file for each text that this makes of a host: inventory/{{ site }}.csv. A relative path begins in the first folder of exports; at the command line of the machine, where the service starts. Folders in front of the first {{ must exist, other than below exports/ of the data directory',
          ),
        shape: z
          .enum(SHAPES, { error: schemaText(worded`must be one of ${{ choices: SHAPES.join(', ') }}`) })
          .describe('Format of the files; template: as the option template says'),
        publish: flag()
          .default(false)
          .describe(
            'Publish the files at /api/v1/published/<account>/<file> instead of writing them into a folder; path is their name there',
          ),
        adopt: flag()
          .default(false)
          .describe('Take over existing files that this account did not write')
          .meta({ when: { publish: ['false'] } }),
        fields: textList()
          .default([])
          .describe(
            'The variables that a host is written with, comma-separated, each as name or as other_name=name; HOSTNAME and groups too, if they are named; absent: csv has hostname, groups and address_field, file_sd no further labels, others all variables',
          )
          .meta({ when: { shape: SHAPES_WITH_FIELDS } }),
        address_field: text()
          .describe('The variable with the address of the host, or several')
          .meta({ when: { shape: ['csv', 'ansible', 'ssh_config', 'known_hosts', 'hosts', 'dns_zone', 'file_sd'] } }),
        separator: z
          .string()
          .length(1, phrase`must be one character`)
          .default(',')
          .describe('csv: separator of cells')
          .meta({ when: { shape: ['csv'] } }),
        layout: z
          .enum(LAYOUTS, { error: phrase`must be file or tree` })
          .default('file')
          .describe('ansible: one file, or a folder with hosts.yml, host_vars and group_vars')
          .meta({ when: { shape: ['ansible'] } }),
        group_names: z
          .enum(GROUP_NAMES, { error: phrase`must be identifier or kept` })
          .default('identifier')
          .describe(
            'ansible: names of groups with letters, digits and underscores alone, as Ansible wishes; kept: with dots, dashes and pluses too',
          )
          .meta({ when: { shape: ['ansible'] } }),
        variable_names: z
          .enum(VARIABLE_NAMES, { error: phrase`must be identifier or keep` })
          .default('identifier')
          .describe(
            'ansible: names of variables with letters, digits and underscores alone (site.name becomes site_name), as Ansible demands; keep: as rules name them',
          )
          .meta({ when: { shape: ['ansible'] } }),
        connection_variables: textList()
          .default([])
          .describe(
            'ansible: variables beginning with ansible_ that hosts may bring in addition to ansible_host, ansible_port and ansible_user',
          )
          .meta({ when: { shape: ['ansible'] } }),
        user_field: text()
          .describe('ssh_config: the variable with the user to log in as')
          .meta({ when: { shape: ['ssh_config'] } }),
        port_field: text()
          .describe('ssh_config, known_hosts, file_sd: the variable with the port')
          .meta({ when: { shape: ['ssh_config', 'known_hosts', 'file_sd'] } }),
        identity_field: text()
          .describe('ssh_config: the variable with the file of the private key')
          .meta({ when: { shape: ['ssh_config'] } }),
        proxy_field: text()
          .describe('ssh_config: the variable with the host to jump over')
          .meta({ when: { shape: ['ssh_config'] } }),
        key_field: text()
          .describe('known_hosts: the variable with the public key of the host, or several')
          .meta({ when: { shape: ['known_hosts'] } }),
        short_names: flag()
          .default(false)
          .describe('hosts, ssh_config: the name without its domain too')
          .meta({ when: { shape: ['hosts', 'ssh_config'] } }),
        origin: zoneName()
          .default('')
          .describe('dns_zone: the zone, example.org or 2.0.192.in-addr.arpa; hosts outside are not written')
          .meta({ when: { shape: ['dns_zone'] } }),
        ns: textList()
          .pipe(z.array(zoneName()))
          .default([])
          .describe('dns_zone: the name servers')
          .meta({ when: { shape: ['dns_zone'] } }),
        hostmaster: z
          .string()
          .regex(/^$|^[\w.+-]+(@[\w.-]+)?$/, phrase`must be an address, hostmaster@example.org`)
          .default('')
          .describe('dns_zone: the address of the person responsible, hostmaster@example.org')
          .meta({ when: { shape: ['dns_zone'] } }),
        ttl: whole(0, 2_147_483_647)
          .default(3600)
          .describe('dns_zone: how many seconds others may keep a record')
          .meta({ when: { shape: ['dns_zone'] } }),
        txt_field: text()
          .describe('dns_zone: the variable with the texts of the name')
          .meta({ when: { shape: ['dns_zone'] } }),
        port: whole(1, 65_535)
          .optional()
          .describe('file_sd, ssh_config, known_hosts: the port of hosts without one')
          .meta({ when: { shape: ['file_sd', 'ssh_config', 'known_hosts'] } }),
        variable: z
          .string()
          .regex(/^[A-Za-z_][\w-]*$/, phrase`must be the name of a variable of Terraform`)
          .default('hosts')
          .describe('tfvars: the variable that holds the hosts')
          .meta({ when: { shape: ['tfvars'] } }),
        template: text()
          .describe('template: the text for each host')
          .meta({
            lines: true,
            example: '{{ HOSTNAME }} ansible_host={{ ip }} site={{ site }}\n',
            when: { shape: ['template'] },
          }),
        header: text()
          .describe('template: the text at the beginning of each file')
          .meta({ lines: true, when: { shape: ['template'] } }),
        footer: text()
          .describe('template: the text at its end')
          .meta({ lines: true, when: { shape: ['template'] } }),
        escape: z
          .enum(ESCAPES, { error: schemaText(worded`must be one of ${{ choices: ESCAPES.join(', ') }}`) })
          .default('lines')
          .describe(
            'template: what happens to values before the template reads them; lines: line breaks and control characters become blanks; none: the template does it',
          )
          .meta({ when: { shape: ['template'] } }),
      },
      {
        Where: { path: 'File', publish: 'Publish over HTTP' },
        'What becomes of it': {
          shape: 'Shape of the files',
          adopt: 'Take over objects without an owner',
          fields: 'Variables to write',
          address_field: 'Variable with the address',
          separator: 'Separator',
          layout: 'Layout of the inventory',
          group_names: 'Names of groups',
          variable_names: 'Names of variables',
          connection_variables: 'Connection variables',
          user_field: 'Variable with the user',
          port_field: 'Variable with the port',
          identity_field: 'Variable with the key file',
          proxy_field: 'Variable with the jump host',
          key_field: 'Variable with the host key',
          short_names: 'Short names',
          origin: 'Origin of the zone',
          ns: 'Name servers',
          hostmaster: 'Hostmaster',
          ttl: 'TTL',
          txt_field: 'Variable for TXT records',
          port: 'Port',
          variable: 'Variable',
          template: 'Template for a host',
          header: 'Header of the file',
          footer: 'Footer of the file',
          escape: 'Escaping',
        },
      },
    ),
  ),
);

export type FilesOptions = z.infer<ReturnType<typeof shapeOptions>>;
export type ShapeName = FilesOptions['shape'];

/** Options that a shape requires. */
const NEEDED: Partial<Readonly<Record<ShapeName, readonly (keyof FilesOptions)[]>>> = {
  hosts: ['address_field'],
  known_hosts: ['key_field'],
  dns_zone: ['address_field', 'origin', 'ns', 'hostmaster'],
  template: ['template'],
};

export const filesOptions = madeOnce(() =>
  shapeOptions().check(({ value, issues }) => {
    for (const name of NEEDED[value.shape] ?? []) {
      const given = value[name];
      if (given !== '' && !(Array.isArray(given) && given.length === 0)) continue;
      issues.push({ code: 'custom', path: [name], input: given, message: `is required with shape=${value.shape}` });
    }
    // Others are not shown to anybody: they would be published to no effect.
    if (value.publish && !/\{[{%]/.test(value.path) && !/^(?:\.?\/)*[^./][^/]*(?:\/[^./][^/]*)*$/.test(value.path)) {
      const message = 'must be a name with publish=true, such as targets.json, of which no part begins with a dot';
      issues.push({ code: 'custom', path: ['path'], input: value.path, message });
    }
  }),
);
