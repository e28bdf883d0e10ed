import type { Http } from '../../ports/index.ts';
import type { AccountServices } from '../accounts/services.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { UserServices } from '../users/services.ts';
import type { ProxyLogins } from './proxy-logins.ts';
import type { SignIns } from './sign-ins.ts';

/** The services that let in people who are known elsewhere. */
export interface LoginServices extends AccountServices, UserServices {
  readonly accounts: AccountServices['accounts'];
  readonly http: Http;
  readonly signIns: Pick<SignIns, keyof SignIns>;
  readonly proxyLogins: Pick<ProxyLogins, keyof ProxyLogins>;
}

export const { defineOperation } = operationsOf<LoginServices>();
