export const SYSTEM_TABS = ['health', 'plugins', 'configuration', 'maintenance', 'backups'] as const;
export type SystemTab = (typeof SYSTEM_TABS)[number];
