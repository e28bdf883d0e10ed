/** Pages of the documentation by section of the interface. */
export const DOCS_OF_SECTIONS: Readonly<Record<string, string>> = {
  '': 'pages.html#overview',
  dashboards: 'pages.html#dashboards',
  hosts: 'pages.html#hosts',
  changes: 'pages.html#changes',
  accounts: 'pages.html#accounts',
  plans: 'pages.html#plans',
  rules: 'pages.html#rules',
  inventory: 'pages.html#inventory',
  playbooks: 'pages.html#playbooks',
  cron: 'pages.html#cron-groups',
  runs: 'pages.html#runs',
  notifications: 'pages.html#notifications',
  logs: 'pages.html#logs',
  users: 'pages.html#users',
  profile: 'pages.html#your-profile',
  system: 'pages.html#system',
};

/** Returns the start of the documentation for the page at a path below `/admin`. */
export function docsAddress(pathname: string): string {
  const [section = '', part] = pathname
    .replace(/^\/admin(?=\/|$)/, '')
    .split('/')
    .slice(1);
  // Every rule type that comes with Muster has a section of its name; for others the page begins at its top.
  if (section === 'rules' && part !== undefined) return `/docs/rules.html#${part}`;
  if (section === 'hosts' && part !== undefined) return '/docs/pages.html#a-host';
  return `/docs/${Object.hasOwn(DOCS_OF_SECTIONS, section) ? (DOCS_OF_SECTIONS[section] ?? '') : ''}`;
}
