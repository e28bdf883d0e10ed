import { describe, expect, it } from 'vitest';
import { layoutGraph, neighbourOf } from '../../../src/adapters/admin/pages/hosts/relations/graph-layout.ts';

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

  it('draws every host once, on the ring of its steps, beside what leads to it', () => {
    const { nodes, reach } = layoutGraph(graph);
    expect(nodes.map(({ hostname, parent }) => [hostname, parent])).toEqual([
      ['vm', undefined],
      ['disk', 'vm'],
      ['node', 'vm'],
      ['other', 'node'],
      ['rack', 'node'],
    ]);
    const distance = ({ x, y }: { x: number; y: number }) => Math.round(Math.hypot(x, y));
    expect(nodes.map(distance)).toEqual([0, 150, 150, 340, 340]);
    expect(Math.max(...nodes.map(distance))).toBeLessThan(reach);
  });

  it('leaves room for 500 relations, and takes no time for it', () => {
    const names = Array.from({ length: 500 }, (_, n) => `host${n}`);
    const start = performance.now();
    const { nodes } = layoutGraph({
      hostname: 'hub',
      nodes: [{ hostname: 'hub', hop: 0 }, ...names.map((hostname) => ({ hostname, hop: 1 }))],
      edges: names.map((name) => edge(name, 'hub')),
    });
    expect(performance.now() - start).toBeLessThan(500);
    const [, first, second] = nodes;
    const gap = Math.hypot((first?.x ?? 0) - (second?.x ?? 0), (first?.y ?? 0) - (second?.y ?? 0));
    expect(gap).toBeGreaterThan(18);
  });

  it('is walked by arrow keys: along a ring, outwards and back', () => {
    const { nodes } = layoutGraph(graph);
    expect(neighbourOf(nodes, 'vm', 'ArrowDown')).toBe('disk');
    expect(neighbourOf(nodes, 'disk', 'ArrowRight')).toBe('node');
    expect(neighbourOf(nodes, 'node', 'ArrowRight')).toBe('disk');
    expect(neighbourOf(nodes, 'node', 'ArrowDown')).toBe('other');
    expect(neighbourOf(nodes, 'other', 'ArrowUp')).toBe('node');
    expect(neighbourOf(nodes, 'other', 'Home')).toBe('vm');
    expect(neighbourOf(nodes, 'vm', 'ArrowUp')).toBeUndefined();
  });
});
