export const SYSTEM_TABS = ['health', 'plugins', 'configuration', 'maintenance'] as const;
export type SystemTab = (typeof SYSTEM_TABS)[number];
