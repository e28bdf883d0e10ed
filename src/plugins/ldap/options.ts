import * as z from 'zod';
import { connectionOptions } from '../../kit/connection/options.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag, number, textList, whole } from '../../kit/options/values.ts';
import { keyOption } from '../../kit/records/options.ts';
import { phrase, schemaText, worded } from '../../kit/worded.ts';

/** The names match those of existing installations, if they have one. */
export const ldapOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        base_dn: z
          .string({ error: phrase`is required` })
          .min(1, phrase`is required`)
          .describe('Base of the search: ou=servers,dc=example,dc=org'),
        search_filter: z
          .string()
          .min(1)
          .default('(objectClass=*)')
          .describe('Which entries are hosts: (objectCategory=computer)'),
        scope: z
          .enum(['sub', 'one', 'base'], { error: phrase`must be sub, one or base` })
          .default('sub')
          .describe('How far below base_dn: sub (all of it), one (a level), base (that entry alone)'),
        hostname_field: z
          .string()
          .min(1)
          .default('dNSHostName|cn')
          .describe('The attribute with the hostname; of several, separated by |, the first one that the entry has'),
        attributes: textList()
          .default([])
          .describe('The attributes to import, comma-separated; absent: all but operational ones'),
        key_fields: keyOption(),
        disabled_accounts: z
          .enum(['keep', 'leave_out'], { error: phrase`must be keep or leave_out` })
          .default('keep')
          .describe(
            'Active Directory: keep imports disabled accounts too, with the label disabled; leave_out treats them as if they were not there',
          ),
        referrals: z
          .enum(['gap', 'ignore'], { error: phrase`must be gap or ignore` })
          .default('gap')
          .describe(
            'Treatment of parts of the directory on other servers: gap (the run is partial and archives nothing) or ignore',
          ),
        encoding: z.string().min(1).default('utf-8').describe('Encoding of texts: utf-8, latin1 …'),
        binary_fields: z
          .enum(['leave_out', 'base64'], { error: phrase`must be leave_out or base64` })
          .default('leave_out')
          .describe('Treatment of attributes with bytes, such as certificates and photos'),
        page_size: whole(1, 10_000).default(500).describe('How many entries to ask for at a time'),
        query_timeout: number(phrase`must be a number of seconds`)
          .pipe(
            z
              .number()
              .positive(schemaText(worded`must be more than ${{ least: '0' }}`))
              .max(86_400, schemaText(worded`must be at most ${{ most: '86400' }}`)),
          )
          .default(120)
          .describe('Seconds that the server may take for a page'),
        use_tls: flag()
          .default(true)
          .describe('ldap:// is encrypted by StartTLS before the login; off only together with allow_unencrypted'),
        ...connectionOptions(),
      },
      {
        Which: {
          base_dn: 'Base DN',
          search_filter: 'Search filter',
          scope: 'Depth of the search',
          hostname_field: 'Attribute with the hostname',
          attributes: 'Attributes',
          key_fields: 'Keys that identify a host',
          disabled_accounts: 'Disabled accounts',
          referrals: 'Referrals to other servers',
        },
        Where: {
          encoding: 'Encoding',
          page_size: 'Entries a page',
          query_timeout: 'Timeout of queries in seconds',
          use_tls: 'Use StartTLS',
        },
        'What becomes of it': { binary_fields: 'Attributes with bytes' },
      },
    ),
  ),
);

export type LdapOptions = z.infer<ReturnType<typeof ldapOptions>>;
