import { feature } from '../catalogue/declared-feature.ts';
import { ProxyLogins } from './proxy-logins.ts';
import type { LoginServices } from './services.ts';
import { SignIns } from './sign-ins.ts';

/** Logins by other systems, and the second factor. */
export const logins = feature<object, LoginServices>({
  id: 'logins',
  services(services) {
    let signIns: SignIns | undefined;
    const shared = (): SignIns => {
      signIns ??= new SignIns(services);
      return signIns;
    };
    return { signIns: shared, proxyLogins: () => new ProxyLogins(shared(), services) };
  },
});
