import * as z from 'zod';
import { tlsFileOptions } from '../../kit/connection/tls-file-options.ts';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag, whole } from '../../kit/options/values.ts';
import { phrase } from '../../kit/worded.ts';

const claim = () =>
  z.string().regex(/^[^\s.]+(?:\.[^\s.]+)*$/, phrase`must be the name of a claim, or a dotted path to one`);

export const oidcOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        scopes: z
          .string()
          .default('openid profile email')
          .describe('Requested scopes, separated by blanks; with offline_access sessions are checked for longer'),
        groups_claim: claim()
          .default('groups')
          .describe('The claim with the groups, of the ID token or of the user info: groups, realm_access.roles'),
        name_claim: claim().default('preferred_username').describe('The claim that becomes the user name'),
        email_claim: claim().default('email').describe('The claim with the e-mail address'),
        client_auth: z
          .enum(['basic', 'post'], { error: phrase`must be basic or post` })
          .default('basic')
          .describe('Place of the client secret in token requests: in the header or in the form'),
        verify_cert: flag().default(true).describe('Check the certificate of the provider'),
        http_proxy: z.string().optional().describe('Proxy to the provider: http://proxy.example.org:3128'),
        request_timeout: whole(1, 60).default(10).describe('Seconds to wait for an answer'),
        allow_unencrypted: flag()
          .default(false)
          .describe('Accept a provider without encryption on another machine: anyone on the way can log in as anyone'),
        ...tlsFileOptions(),
      },
      {
        Which: {
          scopes: 'Scopes',
          groups_claim: 'Claim with the groups',
          name_claim: 'Claim with the user name',
          email_claim: 'Claim with the e-mail address',
        },
        Where: {
          client_auth: 'How the client proves itself',
          verify_cert: 'Check the certificate',
          http_proxy: 'Proxy',
          request_timeout: 'Timeout in seconds',
          allow_unencrypted: 'Allow no encryption',
        },
      },
    ),
  ),
);

export type OidcOptions = z.output<ReturnType<typeof oidcOptions>>;
