import * as z from 'zod';
import { connectionOptions } from '../../kit/connection/options.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag, number } from '../../kit/options/values.ts';
import { phrase, schemaText, worded } from '../../kit/worded.ts';

const attribute = () => z.string().regex(/^[a-z][a-z\d-]*$/i, phrase`must be the name of one attribute`);

export const ldapSignInOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        directory: z
          .enum(['openldap', 'active_directory'], { error: phrase`must be openldap or active_directory` })
          .default('openldap')
          .describe('Kind of directory; it decides how people and groups are found if nothing else is set'),
        base_dn: z
          .string({ error: phrase`is required` })
          .min(1, phrase`is required`)
          .describe('Base of the search for people: ou=people,dc=example,dc=org'),
        user_filter: z
          .string()
          .optional()
          .describe(
            'Filter for people who may log in; absent: (objectClass=person), or users who are persons in Active Directory',
          ),
        name_attribute: attribute()
          .optional()
          .describe(
            'The attribute that people log in with, which becomes their user name; absent: uid, or sAMAccountName',
          ),
        email_attribute: attribute().default('mail').describe('The attribute with the e-mail address'),
        id_attribute: attribute()
          .optional()
          .describe('The attribute that never changes and is never given again; absent: entryUUID, or objectGUID'),
        group_base_dn: z.string().optional().describe('Base of the search for groups; absent: base_dn'),
        group_filter: z
          .string()
          .default('(objectClass=*)')
          .describe('Which entries count as groups: (objectClass=groupOfNames)'),
        nested_groups: flag()
          .default(true)
          .describe('Whether members of a group belong to the groups that it is a member of, too'),
        query_timeout: number(phrase`must be a number of seconds`)
          .pipe(
            z
              .number()
              .positive(schemaText(worded`must be more than ${{ least: '0' }}`))
              .max(300, schemaText(worded`must be at most ${{ most: '300' }}`)),
          )
          .default(10)
          .describe('Seconds that the server may take for an answer'),
        use_tls: flag()
          .default(true)
          .describe('ldap:// is encrypted by StartTLS before the login; off only together with allow_unencrypted'),
        ...connectionOptions(),
      },
      {
        Where: {
          directory: 'Kind of directory',
          query_timeout: 'Timeout of queries in seconds',
          use_tls: 'Use StartTLS',
        },
        Which: {
          base_dn: 'Base DN of people',
          user_filter: 'People who may log in',
          name_attribute: 'Attribute with the user name',
          email_attribute: 'Attribute with the e-mail address',
          id_attribute: 'Attribute with the identifier',
          group_base_dn: 'Base DN of groups',
          group_filter: 'Filter for groups',
          nested_groups: 'Groups within groups',
        },
      },
    ),
  ),
);

export type LdapSignInOptions = z.output<ReturnType<typeof ldapSignInOptions>>;
