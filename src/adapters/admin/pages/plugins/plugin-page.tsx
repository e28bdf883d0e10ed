import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { below } from '../calls/below.ts';
import { useSession } from '../calls/session.ts';
import { Page } from '../parts/page.tsx';
import { PageNotFound } from '../parts/page-not-found.tsx';
import { answerOf, isCall, isHeight } from './bridge.ts';

interface PluginPageProps {
  readonly plugin: string;
  readonly page: string;
}

/** A page of a plugin, in a frame that reaches only the actions of that plugin. */
export function PluginPage({ plugin, page }: PluginPageProps) {
  const { plugin_pages: pages } = useSession();
  const found = pages.find((known) => known.plugin === plugin && known.page === page);
  if (found === undefined) return <PageNotFound />;
  return (
    <Page title={found.title}>
      <Frame plugin={plugin} page={page} title={found.title} />
    </Page>
  );
}

function Frame({ plugin, page, title }: PluginPageProps & { readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(LEAST_HEIGHT);
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false });

  useEffect(() => {
    async function listen({ source, data }: MessageEvent<unknown>): Promise<void> {
      const inside = frame.current?.contentWindow;
      if (inside === undefined || inside === null || source !== inside) return;
      if (isHeight(data)) setHeight(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, data.height)));
      // The document has an origin of its own, which has no name to send to.
      if (isCall(data)) inside.postMessage(await answerOf(plugin, data), '*');
    }
    const heard = (event: MessageEvent<unknown>) => void listen(event);
    window.addEventListener('message', heard);
    return () => window.removeEventListener('message', heard);
  }, [plugin]);

  return (
    <iframe
      ref={frame}
      title={title}
      src={below(`/admin/plugin-pages/${plugin}/${page}?theme=${theme}`)}
      sandbox="allow-scripts allow-forms"
      className="plugin-page"
      height={height}
    />
  );
}

/** Pixels. */
const LEAST_HEIGHT = 200;
const MOST_HEIGHT = 20_000;
