import * as z from 'zod';
import { tlsFileOptions } from '../connection/tls-file-options.ts';
import { headersOf } from '../options/http-headers.ts';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';
import { flag, number } from '../options/values.ts';
import { refusedBy } from '../records/option-fault.ts';
import { phrase, schemaText, worded } from '../worded.ts';
import { METHODS, method } from './method.ts';

const KINDS = ['none', 'basic', 'digest', 'bearer', 'header', 'oauth2', 'session'] as const;
/** Existing installations write `Basic` and `Digest`. */
const kind = madeOnce(() =>
  z.union(
    [z.enum(KINDS), z.string().toLowerCase().pipe(z.enum(KINDS))],
    schemaText(worded`must be one of ${{ choices: KINDS.join(', ') }}`),
  ),
);

/**
 * Addresses are shown in listings and logs, so an address with credentials is refused when it is saved, not when hosts are
 * imported.
 */
function withoutLogin(): z.ZodString {
  return z
    .string()
    .refine(
      (address) => !/^[^/?#]*:\/\/[^/?#]*@/.test(address),
      phrase`must not contain a user name and password; give them as credentials of the account`,
    );
}

/**
 * The members of `httpAccountOptions` in the plugin interface. Built-in types use this function, as most commands never read
 * their options.
 */
export const httpAccountMembers = madeOnce(() =>
  titled(
    {
      url: withoutLogin()
        .optional()
        .describe('Address of the system: https://…; absent: the address of the account')
        .meta({ account_field: 'address' }),
      auth: kind()
        .optional()
        .describe(
          'How to log in: none, basic, digest, bearer (the password is the token), header (the password is the key), oauth2 (client credentials; the password is the secret), session (a request that logs in answers a token); absent: basic with a user name, bearer without one, none without a password',
        )
        .meta({ enum: [...KINDS], aliases: ['auth_type'] }),
      auth_header: z
        .string()
        .regex(
          /^[\w-]+(?::\s*\S+)?$/,
          phrase`must be the name of a header, or name and scheme: X-API-Key, Authorization: Token`,
        )
        .default('X-API-Key')
        .describe(
          'auth header: the header with the key, including the word before the key if there is one (Authorization: Token)',
        )
        .meta({ when: { auth: ['header'] } }),
      token_url: withoutLogin()
        .optional()
        .describe('auth oauth2: where tokens are issued')
        .meta({ when: { auth: ['oauth2'] } }),
      client_id: z
        .string()
        .optional()
        .describe('auth oauth2: the client; absent: the user name')
        .meta({ when: { auth: ['oauth2'] } }),
      scope: z
        .string()
        .optional()
        .describe('auth oauth2: the scope of the token')
        .meta({ when: { auth: ['oauth2'] } }),
      audience: z
        .string()
        .optional()
        .describe('auth oauth2: the audience of the token')
        .meta({ when: { auth: ['oauth2'] } }),
      token_auth: z
        .enum(['basic', 'body'], { error: phrase`must be basic or body` })
        .default('basic')
        .describe(
          'auth oauth2: place of client and secret in token requests; basic encodes characters such as ! and + (RFC 6749); for a system that refuses that, use body',
        )
        .meta({ when: { auth: ['oauth2'] } }),
      login_path: z
        .string()
        .optional()
        .describe('auth session: the path that logs in, below the address')
        .meta({ when: { auth: ['session'] } }),
      login_method: method()
        .default('POST')
        .describe('auth session: the method of the login')
        .meta({ enum: [...METHODS], when: { auth: ['session'] } }),
      login_body: z
        .string()
        .optional()
        .describe(
          'auth session: what is sent to log in, JSON or fields of a form, with {{ username }} and {{ password }}',
        )
        .meta({
          lines: true,
          example: '{"user": "{{ username }}", "password": "{{ password }}"}',
          when: { auth: ['session'] },
        }),
      login_auth: z
        .enum(['none', 'basic'], { error: phrase`must be none or basic` })
        .optional()
        .describe('auth session: how the login call itself authenticates; absent: basic if there is no login_body')
        .meta({ when: { auth: ['session'] } }),
      token_path: z
        .string()
        .default('token')
        .describe(
          'auth session: where the answer has the token: the dotted path of a member, header:<name>, cookies, or text for all of it',
        )
        .meta({ when: { auth: ['session'] } }),
      token_header: z
        .string()
        .regex(
          /^[\w-]+(?::\s*\S+)?$/,
          phrase`must be the name of a header, or name and scheme: X-Auth-Token, Authorization: Bearer`,
        )
        .default('Authorization: Bearer')
        .describe(
          'auth session: the header that carries the token, including the word before the token if there is one',
        )
        .meta({ when: { auth: ['session'] } }),
      logout_path: z
        .string()
        .optional()
        .describe('auth session: the path that ends the session; absent: it ends by itself')
        .meta({ when: { auth: ['session'] } }),
      logout_method: method()
        .default('POST')
        .describe('auth session: the method of that')
        .meta({ enum: [...METHODS], when: { auth: ['session'] } }),
      http_proxy: z
        .string()
        .optional()
        .describe('Proxy for every request: http://user:password@proxy.example.org:3128; absent or direct: none')
        .meta({ rare: true }),
      custom_headers: z
        .string()
        .superRefine(refusedBy((text) => headersOf('custom_headers', text)))
        .optional()
        .describe('Further headers of every request: a line "Name: value" each, or separated by |')
        .meta({ rare: true }),
      request_headers: z
        .string()
        .superRefine(refusedBy((text) => headersOf('request_headers', text)))
        .optional()
        .describe('The same as custom_headers; if both have a header, this one counts')
        .meta({ rare: true }),
      request_timeout: number(phrase`must be a number of seconds`)
        .pipe(
          z
            .number()
            .positive(schemaText(worded`must be more than ${{ least: '0' }}`))
            .max(3600, schemaText(worded`must be at most ${{ most: '3600' }}`)),
        )
        .default(30)
        .describe('Seconds to wait for an answer, and for each piece of it')
        .meta({ rare: true }),
      verify_cert: flag()
        .default(true)
        .describe('Check the certificate of the system; off, anyone on the way can read and change everything'),
      ...tlsFileOptions(),
    },
    {
      Where: {
        url: 'Address',
        auth: 'How to log in',
        auth_header: 'Header with the key',
        token_url: 'Address for tokens',
        client_id: 'Client ID',
        scope: 'Scope',
        audience: 'Audience',
        token_auth: 'How the client proves itself',
        login_path: 'Path of the login',
        login_method: 'Method of the login',
        login_body: 'Body of the login',
        login_auth: 'Authentication of the login request',
        token_path: 'Token in the answer',
        token_header: 'Header with the token',
        logout_path: 'Path of the logout',
        logout_method: 'Method of the logout',
        http_proxy: 'Proxy',
        custom_headers: 'Further headers',
        request_headers: 'Headers of requests',
        request_timeout: 'Timeout in seconds',
        verify_cert: 'Check the certificate',
      },
    },
  ),
);
