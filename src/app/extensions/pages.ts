import type { PluginPage } from '../../ports/index.ts';
import { holdsRole } from '../kernel/caller.ts';
import type { Rights } from '../kernel/may.ts';
import type { PluginRegistry } from '../kernel/plugin-host/registry.ts';

/** A page of a plugin, as the navigation shows it. */
export interface ListedPage {
  readonly plugin: string;
  readonly page: string;
  readonly title: string;
}

/** The pages that a user may see, by plugin. */
export function pagesFor(plugins: PluginRegistry, rights: Rights): readonly ListedPage[] {
  const allowed = plugins.pages().filter(({ item }) => holdsRole(rights, item.roles));
  return allowed.map(({ pluginId, item: { id, title } }) => ({ plugin: pluginId, page: id, title }));
}

/** The page, if there is one and the user may see it. */
export function pageFor(
  plugins: PluginRegistry,
  rights: Rights,
  { plugin, page }: Pick<ListedPage, 'plugin' | 'page'>,
): PluginPage | undefined {
  const found = plugins.page(plugin, page);
  return found !== undefined && holdsRole(rights, found.roles) ? found : undefined;
}
