export const HOST_TABS = ['overview', 'explain', 'variables', 'relations', 'history', 'comments', 'json'] as const;

export type HostTab = (typeof HOST_TABS)[number];
