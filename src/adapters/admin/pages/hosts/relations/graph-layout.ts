/** A host of the graph, `hop` steps from the one in the middle. */
export interface GraphNode {
  readonly hostname: string;
  readonly hop: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly type: string;
  readonly type_label: string;
  readonly to: string;
}

export interface PlacedNode extends GraphNode {
  readonly x: number;
  readonly y: number;
  /** Angle seen from the middle, in degrees clockwise from the right. */
  readonly angle: number;
  /** The node that it is drawn behind; absent for the middle. */
  readonly parent?: string;
}

interface Graph {
  readonly hostname: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  /** How far the drawing reaches from its middle, labels included. */
  readonly reach: number;
}

const FIRST_RING = 150;
const BETWEEN_RINGS = 190;
/** Length of a ring, in pixels, reserved for each name at least. */
const ROOM = 20;
/** A name is drawn so far. */
export const NAME_LENGTH = 26;
const CHARACTER = 10;

/**
 * Draws hosts on rings around the one in the middle, each as near to its neighbour of the inner ring as there is room: in one pass, and
 * the same graph always looks the same.
 */
export function layoutGraph({ hostname, nodes, edges }: Graph): Layout {
  const hops = new Map(nodes.map((node) => [node.hostname, node.hop]));
  const parents = parentsOf(hops, edges);
  const ring = (hop: number) => nodes.filter((node) => node.hop === hop);
  const children = new Map<string, GraphNode[]>();
  for (const node of ring(2)) {
    const parent = parents.get(node.hostname) ?? hostname;
    children.set(parent, [...(children.get(parent) ?? []), node]);
  }
  const inner = ring(1).sort(byName);
  const shares = inner.map((node) => Math.max(1, children.get(node.hostname)?.length ?? 0));
  const all = shares.reduce((sum, share) => sum + share, 0);
  const firstRadius = Math.max(FIRST_RING, (inner.length * ROOM) / (2 * Math.PI));
  const outer = ring(2).length;
  const secondRadius = Math.max(firstRadius + BETWEEN_RINGS, (all * ROOM) / (2 * Math.PI));
  const placed: PlacedNode[] = [{ hostname, hop: 0, x: 0, y: 0, angle: 0 }];
  let passed = 0;
  for (const [index, node] of inner.entries()) {
    const share = shares[index] as number;
    placed.push({ ...node, ...at(firstRadius, (passed + share / 2) / all), parent: hostname });
    for (const [place, child] of (children.get(node.hostname) ?? []).sort(byName).entries()) {
      placed.push({ ...child, ...at(secondRadius, (passed + place + 0.5) / all), parent: node.hostname });
    }
    passed += share;
  }
  const longest = Math.max(...nodes.map((node) => Math.min(node.hostname.length, NAME_LENGTH)));
  return { nodes: placed, reach: (outer > 0 ? secondRadius : firstRadius) + longest * CHARACTER + 20 };
}

/** The node of the inner ring that each is reached by first. */
function parentsOf(hops: ReadonlyMap<string, number>, edges: readonly GraphEdge[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const { from, to } of edges) {
    const [near, far] = (hops.get(from) ?? 0) < (hops.get(to) ?? 0) ? [from, to] : [to, from];
    if ((hops.get(far) ?? 0) === (hops.get(near) ?? 0) + 1 && !parents.has(far)) parents.set(far, near);
  }
  return parents;
}

function at(radius: number, turn: number): Pick<PlacedNode, 'x' | 'y' | 'angle'> {
  const angle = turn * 360 - 90;
  const radians = (angle * Math.PI) / 180;
  return { x: round(radius * Math.cos(radians)), y: round(radius * Math.sin(radians)), angle };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function byName(left: GraphNode, right: GraphNode): number {
  return left.hostname < right.hostname ? -1 : 1;
}

/** Returns the node that an arrow key moves to; `undefined` if there is none. */
export function neighbourOf(nodes: readonly PlacedNode[], from: string, key: string): string | undefined {
  const here = nodes.find(({ hostname }) => hostname === from);
  if (here === undefined) return nodes[0]?.hostname;
  const ring = nodes.filter(({ hop }) => hop === here.hop);
  const place = ring.indexOf(here);
  switch (key) {
    case 'ArrowRight':
      return ring[(place + 1) % ring.length]?.hostname;
    case 'ArrowLeft':
      return ring[(place - 1 + ring.length) % ring.length]?.hostname;
    case 'ArrowUp':
      return here.parent;
    case 'ArrowDown':
      return nodes.find(({ parent }) => parent === from)?.hostname;
    case 'Home':
      return nodes[0]?.hostname;
    default:
      return undefined;
  }
}
