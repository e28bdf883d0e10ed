import { createRoute } from '@tanstack/react-router';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { shellRoute } from '../shell/shell-route.tsx';

const PluginPage = lazyPage(() => import('./plugin-page.tsx').then((module) => module.PluginPage));

const pluginPageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/plugins/$plugin/$page',
  component: showing(() => {
    const { plugin, page } = pluginPageRoute.useParams();
    return <PluginPage key={`${plugin}/${page}`} plugin={plugin} page={page} />;
  }, PluginPage),
});

export const pluginsRoutes = [pluginPageRoute] as const;
