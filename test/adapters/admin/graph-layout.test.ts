import { describe, expect, it } from 'vitest';
import {
  layoutGraph,
  neighbourOf,
  opened,
  type PlacedNode,
} from '../../../src/adapters/admin/pages/hosts/relations/graph-layout.ts';

const edge = (from: string, to: string) => ({ from, to, type: 'runs_on', type_label: 'Runs on' });

describe('the graph of relations', () => {
  const graph = {
    hostname: 'vm',
    nodes: [
      { hostname: 'vm', hop: 0 },
      { hostname: 'node', hop: 1 },
      { hostname: 'disk', hop: 1 },
      { hostname: 'rack', hop: 2 },
      { hostname: 'other', hop: 2 },
    ],
    edges: [edge('vm', 'node'), edge('disk', 'vm'), edge('node', 'rack'), edge('other', 'node'), edge('rack', 'node')],
  };

  const hub = (count: number) => {
    const names = Array.from({ length: count }, (_, n) => `host${n}`);
    return {
      hostname: 'hub',
      nodes: [{ hostname: 'hub', hop: 0 }, ...names.map((hostname) => ({ hostname, hop: 1 }))],
      edges: names.map((name) => edge(name, 'hub')),
    };
  };

  it('draws every host once, in layers that relations pass from left to right', () => {
    const { nodes, edges, width, height } = layoutGraph(graph);
    expect(nodes.map(({ id }) => id).sort()).toEqual(['disk', 'node', 'other', 'rack', 'vm']);
    const at = new Map(nodes.map((node) => [node.id, node]));
    const order = ['disk', 'vm', 'node'].map((id) => at.get(id)?.x as number);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(edges).toHaveLength(graph.edges.length);
    for (const { x, y, width: box } of nodes) {
      expect(x - box / 2).toBeGreaterThanOrEqual(0);
      expect(x + box / 2).toBeLessThanOrEqual(width);
      expect(y).toBeLessThan(height);
    }
  });

  it('draws the arrowhead at the side of the host that a relation leads to', () => {
    const { nodes, edges } = layoutGraph(graph);
    const node = nodes.find(({ id }) => id === 'node') as PlacedNode;
    expect(edges.find(({ from }) => from === 'vm')?.head).toMatch(
      new RegExp(`^M${node.x - node.width / 2} ${node.y}L`),
    );
  });

  it('draws some of 500 relations and counts the rest, takes no time for it, and draws more on request', () => {
    const start = performance.now();
    const few = layoutGraph(hub(500));
    expect(performance.now() - start).toBeLessThan(500);
    expect(few.height).toBeLessThan(500);
    const rest = few.nodes.at(-1) as PlacedNode;
    expect(rest.text).toBe('+490');
    const more = layoutGraph(hub(500), opened(new Map(), rest.rest as NonNullable<PlacedNode['rest']>));
    expect(more.nodes.map(({ text }) => text)).toContain('host29');
    expect(more.nodes.at(-1)?.text).toBe('+470');
    expect(layoutGraph(hub(11)).nodes).toHaveLength(12);
  });

  it('draws hosts that relate to each other', () => {
    const both = layoutGraph({
      hostname: 'a',
      nodes: [
        { hostname: 'a', hop: 0 },
        { hostname: 'b', hop: 1 },
      ],
      edges: [edge('a', 'b'), edge('b', 'a')],
    });
    expect(new Set(both.edges.map(({ head }) => head)).size).toBe(2);
  });

  it('is walked by arrow keys: along a layer, and along relations to the next ones', () => {
    const layout = layoutGraph(graph);
    expect(neighbourOf(layout, 'vm', 'ArrowRight')).toBe('node');
    expect(neighbourOf(layout, 'vm', 'ArrowLeft')).toBe('disk');
    expect(neighbourOf(layout, 'node', 'ArrowLeft')).toBe('vm');
    expect(neighbourOf(layout, 'rack', 'Home')).toBe('vm');
    const { nodes } = layoutGraph(hub(4));
    const [first, second] = nodes.slice(1).sort((a, b) => a.y - b.y);
    expect(neighbourOf(layoutGraph(hub(4)), first?.id ?? '', 'ArrowDown')).toBe(second?.id);
    expect(neighbourOf(layoutGraph(hub(4)), first?.id ?? '', 'ArrowUp')).toBeUndefined();
  });
});
