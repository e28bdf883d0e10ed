import type { DeclaredCommand } from './declared-command.ts';

/** The commands that operations declare, by the first word. Written by `npm run catalogue` from the files that declare them. */
export const COMMANDS: Readonly<Record<string, () => Promise<readonly DeclaredCommand[]>>> = {
  account: async () => (await import('./commands/account.generated.ts')).COMMANDS,
  apply: async () => (await import('./commands/apply.generated.ts')).COMMANDS,
  backup: async () => (await import('./commands/backup.generated.ts')).COMMANDS,
  config: async () => (await import('./commands/config.generated.ts')).COMMANDS,
  cron: async () => (await import('./commands/cron.generated.ts')).COMMANDS,
  doctor: async () => (await import('./commands/doctor.generated.ts')).COMMANDS,
  export: async () => (await import('./commands/export.generated.ts')).COMMANDS,
  host: async () => (await import('./commands/host.generated.ts')).COMMANDS,
  'inventory-providers': async () => (await import('./commands/inventory-providers.generated.ts')).COMMANDS,
  'log-level': async () => (await import('./commands/log-level.generated.ts')).COMMANDS,
  maintenance: async () => (await import('./commands/maintenance.generated.ts')).COMMANDS,
  notification: async () => (await import('./commands/notification.generated.ts')).COMMANDS,
  plan: async () => (await import('./commands/plan.generated.ts')).COMMANDS,
  playbook: async () => (await import('./commands/playbook.generated.ts')).COMMANDS,
  plugins: async () => (await import('./commands/plugins.generated.ts')).COMMANDS,
  preset: async () => (await import('./commands/preset.generated.ts')).COMMANDS,
  published: async () => (await import('./commands/published.generated.ts')).COMMANDS,
  rules: async () => (await import('./commands/rules.generated.ts')).COMMANDS,
  run: async () => (await import('./commands/run.generated.ts')).COMMANDS,
  search: async () => (await import('./commands/search.generated.ts')).COMMANDS,
  'sign-in': async () => (await import('./commands/sign-in.generated.ts')).COMMANDS,
  storage: async () => (await import('./commands/storage.generated.ts')).COMMANDS,
  'support-bundle': async () => (await import('./commands/support-bundle.generated.ts')).COMMANDS,
  user: async () => (await import('./commands/user.generated.ts')).COMMANDS,
};
