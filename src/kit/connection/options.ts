import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';
import { flag, number } from '../options/values.ts';
import { phrase, schemaText, worded } from '../worded.ts';
import { tlsFileOptions } from './tls-file-options.ts';

/** Accounts of existing installations carry them whatever their type is. */
const forHttp = madeOnce(() =>
  z.string().optional().describe('Has no effect on such connections: of requests over HTTP'),
);

/**
 * The options of accounts of systems that are reached over a connection of their own and not over HTTP, to be spread into those of
 * their type. User name and password are the account's own. What HTTP accounts have too is called as there.
 */
export const connectionOptions = madeOnce(() =>
  titled(
    {
      request_timeout: number(phrase`must be a number of seconds`)
        .pipe(
          z
            .number()
            .positive(schemaText(worded`must be more than ${{ least: '0' }}`))
            .max(3600, schemaText(worded`must be at most ${{ most: '3600' }}`)),
        )
        .default(30)
        .describe('Seconds to wait for the connection and the login'),
      verify_cert: flag()
        .optional()
        .describe(
          'Check the certificate of the server; off, anyone on the way can read and change everything. Absent: it is checked, also at an address of this machine, where a tunnel may begin',
        ),
      allow_unencrypted: flag()
        .default(false)
        .describe(
          'Go on without encryption where the server offers none: password and data can be read on the way. A server on this machine needs no encryption',
        ),
      ...tlsFileOptions(),
      http_proxy: forHttp(),
      custom_headers: forHttp(),
      request_headers: forHttp(),
    },
    {
      Where: {
        request_timeout: 'Timeout in seconds',
        verify_cert: 'Check the certificate',
        allow_unencrypted: 'Allow no encryption',
        http_proxy: 'Proxy',
        custom_headers: 'Further headers',
        request_headers: 'Headers of requests',
      },
    },
  ),
);

export type ConnectionOptions = z.output<z.ZodObject<ReturnType<typeof connectionOptions>>>;
