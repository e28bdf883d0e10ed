import { t } from '@lingui/core/macro';
import { useNavigate } from '@tanstack/react-router';
import { useAnswer } from '../../calls/use-call.ts';
import { PanelTitle } from '../panel-title.tsx';
import { GraphOfHosts } from '../relations/graph-of-hosts.tsx';

/** The hosts one step away, drawn; Relations has more of them. */
export function NearHosts({ hostname }: { readonly hostname: string }) {
  const navigate = useNavigate();
  const graph = useAnswer('relations/show-graph', { hostname, hops: 1 });
  if (graph.data === undefined || graph.data.edges.length === 0) return null;
  const open = (to: string) => void navigate({ to: '/hosts/$hostname', params: { hostname: to } });
  return (
    <section aria-label={t`Relations`}>
      <PanelTitle title={t`Relations`} count={graph.data.edges.length} />
      <GraphOfHosts graph={graph.data} onChoose={() => undefined} onWalk={open} />
    </section>
  );
}
