import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { textList } from '../../kit/options/values.ts';
import { phrase } from '../../kit/worded.ts';

const header = () =>
  z
    .string()
    .regex(/^[A-Za-z\d-]+$/, phrase`must be the name of a header, such as X-Forwarded-User`)
    .transform((name) => name.toLowerCase());

export const proxySignInOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        user_header: header().default('x-forwarded-user').describe('The header with the user name'),
        email_header: header().default('x-forwarded-email').describe('The header with the e-mail address'),
        groups_header: header().default('x-forwarded-groups').describe('The header with the groups'),
        group_separator: z
          .string()
          .min(1)
          .max(3)
          .default(',')
          .describe('Separator of groups; a name may contain it if the proxy quotes it or puts a backslash before it'),
        certificate: textList()
          .pipe(
            z
              .array(
                z
                  .string()
                  .regex(
                    /^(?:[\da-f]{64}|(?:[\da-f]{2}:){31}[\da-f]{2}|[^\s,]+)$/i,
                    phrase`must be a name or a SHA-256`,
                  ),
              )
              .min(1, phrase`is required: without it, anyone who reaches the service could log in as any user`),
          )
          .describe(
            'The certificate of the proxy: a name in it (common name or DNS), or its SHA-256 fingerprint; several for several proxies',
          ),
      },
      {
        Which: {
          user_header: 'Header with the user name',
          email_header: 'Header with the e-mail address',
          groups_header: 'Header with the groups',
          group_separator: 'Separator of groups',
        },
        Where: { certificate: 'Certificate of the proxy' },
      },
    ),
  ),
);

export type ProxySignInOptions = z.output<ReturnType<typeof proxySignInOptions>>;
