import type { LoginServices } from '../app/logins/services.ts';
import type { MaintenanceServices } from '../app/maintenance/services.ts';
import type { RuleServices } from '../app/rules/services.ts';
import { AppError } from '../ports/index.ts';

/** Stands in for features that are not part of the program. People whom another system let in are let in no more. */
export const WITHOUT_FEATURES: Pick<LoginServices, 'signIns' | 'proxyLogins'> &
  Pick<RuleServices, 'targets'> &
  Pick<MaintenanceServices, 'groupsWithOneSecret'> = {
  signIns: {
    offered: async () => [],
    accounts: async () => [],
    ofKind: async () => [],
    methodOf: async () => undefined,
    method: noLogin,
    logIn: noLogin,
    admit: noLogin,
    endLogins: noLogin,
    isStillConfirmed: async ({ signIn }) => signIn === undefined,
    isConfirmed: async ({ login }) => login === undefined,
    logoutAddress: async () => null,
  },
  proxyLogins: { logIn: async () => undefined, isOf: async ({ signIn }) => signIn === undefined },
  groupsWithOneSecret: async () => [],
  targets: { accounts: async () => [], explained: noTarget, test: noTarget },
};

async function noLogin(): Promise<never> {
  throw new AppError('not_found', 'this program has no logins by other systems');
}

async function noTarget(): Promise<never> {
  throw new AppError('not_found', 'this program exports to no system');
}
