import { t } from '@lingui/core/macro';
import type { FunctionComponent } from 'react';

/**
 * A page whose script is loaded when it is opened. The router waits for `preload` before it leaves the previous page, so nothing
 * flashes.
 */
export type LazyPage<Props extends object = object> = FunctionComponent<Props> & { preload(): Promise<void> };

/** The script of a page could not be loaded: there is no connection, or a new version of Muster has other files. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super(t`This page could not be loaded. Muster was updated or restarted, or there is no connection to it.`, {
      cause,
    });
  }
}

/** `load` is called once, and again after it failed. */
export function lazyPage<Props extends object>(load: () => Promise<FunctionComponent<Props>>): LazyPage<Props> {
  let Loaded: FunctionComponent<Props> | undefined;
  async function preload(): Promise<void> {
    try {
      Loaded ??= await load();
    } catch (error) {
      throw new PageNotLoaded(error);
    }
  }
  function Page(props: Props) {
    if (Loaded === undefined) throw new PageNotLoaded('it was not asked for');
    return <Loaded {...props} />;
  }
  return Object.assign(Page, { preload });
}

/** The component of a route that shows such a page. */
export function showing(component: FunctionComponent, page: Pick<LazyPage, 'preload'>): LazyPage {
  return Object.assign(component, { preload: () => page.preload() });
}
