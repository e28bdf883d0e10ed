/** Pages of the documentation by section of the interface. */
export const DOCS_OF_SECTIONS: Readonly<Record<string, string>> = {
  hosts: 'search.html',
  dashboards: 'search.html#dashboards',
  accounts: 'sources.html',
  plans: 'targets.html#plans',
  rules: 'rules.html',
  inventory: 'rules.html#what-a-consumer-gets',
  playbooks: 'playbooks.html',
  cron: 'cron.html',
  notifications: 'notifications.html',
  logs: 'operations.html#the-audit-log',
  users: 'security.html#who-is-trusted-with-what',
  profile: 'sign-in.html',
  system: 'operations.html',
};

/** Returns the start of the documentation for the page at a path below `/admin`. */
export function docsAddress(pathname: string): string {
  const [section = '', part] = pathname
    .replace(/^\/admin(?=\/|$)/, '')
    .split('/')
    .slice(1);
  const page = Object.hasOwn(DOCS_OF_SECTIONS, section) ? (DOCS_OF_SECTIONS[section] ?? '') : '';
  // Every rule type that comes with Muster has a section of its name; for others the page begins at its top.
  return `/docs/${page}${section === 'rules' && part !== undefined ? `#${part}` : ''}`;
}
