import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { textList, whole } from '../../kit/options/values.ts';
import { objectOptions, recordOptions } from '../../kit/records/options.ts';

export const ansibleOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        path: z
          .string()
          .min(1, 'is required')
          .describe(
            'The inventory: a file, a folder or a script; with reads=output a file with what ansible-inventory wrote',
          ),
        reads: z
          .enum(['inventory', 'output'], { error: 'must be inventory or output' })
          .default('inventory')
          .describe(
            'inventory: ansible-inventory reads it on this machine, for accounts of its operator alone; output: path is what "ansible-inventory --list" wrote elsewhere',
          ),
        ignore_patterns: textList()
          .refine(
            (patterns) => patterns.every((pattern) => !/\p{Cc}/u.test(pattern)),
            'must not hold control characters',
          )
          .default([])
          .describe(
            'Files in the folder of an inventory to leave out: regular expressions that their names are searched for, comma-separated, as ignore_patterns in ansible.cfg, which then no longer applies: ^zzz-',
          ),
        vaulted: z
          .enum(['gap', 'leave_out'], { error: 'must be gap or leave_out' })
          .default('gap')
          .describe(
            'Files of the inventory that Ansible Vault encrypts as a whole are not read. gap: the run is partial and archives nothing; leave_out: it is complete without them',
          ),
        groups: z
          .enum(['labels', 'relations', 'both', 'none'], { error: 'must be labels, relations, both or none' })
          .default('labels')
          .describe(
            'labels: the label groups lists the groups of a host, and group_names those above them too; relations: groups are objects of type group, and hosts are member_of them',
          ),
        variables: z
          .enum(['effective', 'own'], { error: 'must be effective or own' })
          .default('effective')
          .describe(
            'effective: hosts have the variables of their groups too; own: only those that are set for the host itself',
          ),
        variables_section: z
          .string()
          .regex(/^(?!\$)[^.]*$/, 'must be a name without dots that does not begin with $')
          .default('')
          .describe('The inventory section that all variables go to, unchanged; absent: they become labels'),
        group_prefix: z
          .string()
          .regex(/^[^/\p{Cc}]*$/u, 'must not hold slashes and control characters')
          .default('')
          .describe('groups=relations: prefix of group names, so that they differ from host names'),
        command: z
          .string()
          .regex(/^[^-\0][^\0]*$/, 'must be the name or the path of a program')
          .default('ansible-inventory')
          .describe('The program ansible-inventory: a name, or a path such as that of a virtual environment'),
        directory: z
          .string()
          .default('')
          .describe(
            'The folder that it runs in, with ansible.cfg and the group_vars of playbooks; absent: that of the inventory',
          ),
        timeout: whole(1, 86_400).default(300).describe('Seconds that ansible-inventory may take'),
        ...recordOptions(),
        ...objectOptions(),
      },
      {
        Where: {
          path: 'Inventory',
          reads: 'How it is read',
          ignore_patterns: 'Files to ignore',
          vaulted: 'Encrypted files',
          command: 'Command',
          directory: 'Folder to run in',
          timeout: 'Timeout in seconds',
        },
        'What becomes of it': {
          groups: 'Groups',
          variables: 'Variables',
          variables_section: 'Section for variables',
          group_prefix: 'Prefix of group labels',
        },
      },
    ),
  ),
);

export type AnsibleOptions = z.infer<ReturnType<typeof ansibleOptions>>;
