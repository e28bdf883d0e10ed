/** Descriptions of the groups of operations. A group that a plugin adds only has its name. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  backups: 'Kept backups',
  changes: 'Changes to hosts',
  inventory: 'Inventories as Ansible reads them',
  migration: 'Taking over an existing installation',
  notifications: 'Messages to people and other systems',
  objects: 'Hosts and other objects',
  plans: 'Planned changes in targets and their approval',
  plugins: 'Actions of plugins',
  presets: 'Ready-made settings for services that are asked over HTTP',
  published: 'Documents and files that the service publishes',
  relations: 'Relations between hosts',
  rules: 'Rules, their types, import and export',
  runs: 'Imports and exports that run or ran',
  service: 'Information about the service',
  'sign-in': 'Ways in which people log in',
  'support-bundle': 'Information for support',
  syncer: 'Log, cron groups and counters',
};

export function describedTags(names: Iterable<string>): readonly object[] {
  return [...new Set(names)].sort().map((name) => {
    const description = Object.hasOwn(DESCRIPTIONS, name) ? DESCRIPTIONS[name] : undefined;
    return { name, ...(description === undefined ? {} : { description }) };
  });
}
