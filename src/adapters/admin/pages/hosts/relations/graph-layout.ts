import { Graph as Dag, layout } from '@dagrejs/dagre';

/** A host of the graph, `hop` steps from the one in the middle. */
interface GraphNode {
  readonly hostname: string;
  readonly hop: number;
}

interface GraphEdge {
  readonly from: string;
  readonly type: string;
  readonly type_label: string;
  readonly to: string;
}

export interface Graph {
  readonly hostname: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** A host, or the hosts of one branch that are not drawn. */
export interface ShownNode {
  readonly id: string;
  readonly hop: number;
  readonly text: string;
  /** The branch and its hosts that are not drawn; absent for a host. */
  readonly rest?: { readonly branch: string; readonly hostnames: readonly string[] };
}

export interface PlacedNode extends ShownNode {
  /** The middle of its box. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface ShownEdge {
  readonly from: string;
  readonly type: string;
  readonly to: string;
}

interface PlacedEdge extends ShownEdge {
  readonly path: string;
  /** The arrowhead, at the box that the relation leads to. */
  readonly head: string;
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** Number of hosts of a branch that are drawn at first, by their step. */
const FIRST: Readonly<Record<number, number>> = { 1: 10 };
const FIRST_FARTHER = 4;
/** Number of further hosts that are drawn on request. */
const FURTHER = 20;

const NAME_LENGTH = 32;
const CHARACTER = 7.6;
const PADDING = 22;
export const NODE_HEIGHT = 26;
const HEAD = 7;
const MARGIN = 16;

/** Returns how many hosts of a branch are drawn after a request for more. */
export function opened(shown: ReadonlyMap<string, number>, { branch, hostnames }: NonNullable<ShownNode['rest']>) {
  const before = shown.get(branch) ?? 0;
  return new Map(shown).set(branch, before + Math.min(FURTHER, hostnames.length));
}

/**
 * Places hosts in layers, so that relations lead from left to right. Hosts that are related to the same one in the same way are a
 * branch; of a large branch only some are drawn, `further` more than at first.
 */
export function layoutGraph(graph: Graph, further: ReadonlyMap<string, number> = new Map()): Layout {
  const { nodes, edges } = folded(graph, further);
  const dag = new Dag({ multigraph: true });
  dag.setGraph({ rankdir: 'LR', nodesep: 10, edgesep: 6, ranksep: 64 });
  for (const { id, text } of nodes) {
    dag.setNode(id, { width: Math.ceil(text.length * CHARACTER + PADDING), height: NODE_HEIGHT });
  }
  for (const { from, type, to } of edges) dag.setEdge(from, to, {}, type);
  layout(dag);
  const courses = edges.map(({ from, type, to }) => dag.edge(from, to, type).points as readonly Point[]);
  // The size that the library gives leaves out edges that pass outside of all boxes.
  const boxes = nodes.map(({ id }) => dag.node(id) as Box);
  const xs = boxes.flatMap(({ x, width }) => [x - width / 2, x + width / 2]);
  const ys = [
    ...boxes.flatMap(({ y }) => [y - NODE_HEIGHT / 2, y + NODE_HEIGHT / 2]),
    ...courses.flat().map(({ y }) => y),
  ];
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  const moved = ({ x, y }: Point): Point => ({ x: round(x - left), y: round(y - top) });
  const placed = nodes.map((node, index) => {
    const box = boxes[index] as Box;
    return { ...node, ...moved(box), width: box.width };
  });
  const byId = new Map(placed.map((node) => [node.id, node]));
  return {
    nodes: placed,
    edges: edges.map((edge, index) => {
      const [from, to] = [byId.get(edge.from) as PlacedNode, byId.get(edge.to) as PlacedNode];
      return { ...edge, ...drawn(from, (courses[index] ?? []).slice(1, -1).map(moved), to) };
    }),
    width: Math.ceil(Math.max(...xs) - left + MARGIN),
    height: Math.ceil(Math.max(...ys) - top + MARGIN),
  };
}

interface Branch {
  readonly key: string;
  readonly type: string;
  readonly isOutgoing: boolean;
  readonly hosts: GraphNode[];
}

/** The hosts that are drawn, and a node for those of each branch that are not. */
function folded({ hostname, nodes, edges }: Graph, further: ReadonlyMap<string, number>) {
  const branches = branchesOf(nodes, edges);
  const shown: ShownNode[] = [hostNode({ hostname, hop: 0 })];
  const hidden: ShownEdge[] = [];
  // Grows while it is walked: what is drawn has branches of its own.
  for (const { id, hop, rest } of shown) {
    if (rest !== undefined) continue;
    for (const { key, type, isOutgoing, hosts } of branches.get(id) ?? []) {
      const most = (FIRST[hop + 1] ?? FIRST_FARTHER) + (further.get(key) ?? 0);
      const drawnHosts = hosts.length <= most + 1 ? hosts : hosts.slice(0, most);
      shown.push(...drawnHosts.map(hostNode));
      const hostnames = hosts.slice(drawnHosts.length).map((host) => host.hostname);
      if (hostnames.length === 0) continue;
      shown.push({ id: key, hop: hop + 1, text: `+${hostnames.length}`, rest: { branch: key, hostnames } });
      hidden.push(isOutgoing ? { from: id, type, to: key } : { from: key, type, to: id });
    }
  }
  const ids = new Set(shown.map(({ id }) => id));
  return {
    nodes: shown,
    edges: [...edges.filter(({ from, to }) => ids.has(from) && ids.has(to)), ...hidden],
  };
}

function hostNode({ hostname, hop }: GraphNode): ShownNode {
  return { id: hostname, hop, text: hostname.length > NAME_LENGTH ? `${hostname.slice(0, NAME_LENGTH)}…` : hostname };
}

/** The branches of each host: its neighbours that are a step farther, each in the branch by which it is reached first. */
function branchesOf(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): ReadonlyMap<string, readonly Branch[]> {
  const byName = new Map(nodes.map((node) => [node.hostname, node]));
  const branches = new Map<string, Branch[]>();
  const reached = new Set<string>();
  for (const { from, type, to } of edges) {
    const isOutgoing = (byName.get(from)?.hop ?? 0) < (byName.get(to)?.hop ?? 0);
    const [near, far] = isOutgoing ? [from, to] : [to, from];
    const host = byName.get(far);
    if (host === undefined || host.hop !== (byName.get(near)?.hop ?? 0) + 1 || reached.has(far)) continue;
    reached.add(far);
    const key = JSON.stringify([near, type, isOutgoing]);
    const ofNear = branches.get(near) ?? [];
    const branch = ofNear.find((one) => one.key === key);
    if (branch === undefined) branches.set(near, [...ofNear, { key, type, isOutgoing, hosts: [host] }]);
    else branch.hosts.push(host);
  }
  for (const { hosts } of [...branches.values()].flat()) {
    hosts.sort((one, other) => one.hostname.localeCompare(other.hostname, 'en', { numeric: true }));
  }
  return branches;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Box extends Point {
  readonly width: number;
}

/** A curve that leaves a box at its side and meets the other one at its side, where the arrowhead is. */
function drawn(from: PlacedNode, between: readonly Point[], to: PlacedNode): Pick<PlacedEdge, 'path' | 'head'> {
  const direction = from.x <= to.x ? 1 : -1;
  const start = { x: from.x + (direction * from.width) / 2, y: from.y };
  const tip = { x: to.x - (direction * to.width) / 2, y: to.y };
  let path = `M${round(start.x)} ${round(start.y)}`;
  let last: Point = start;
  for (const { x, y } of [...between, { x: tip.x - direction * HEAD, y: tip.y }]) {
    const middle = round((last.x + x) / 2);
    path += `C${middle} ${round(last.y)} ${middle} ${round(y)} ${round(x)} ${round(y)}`;
    last = { x, y };
  }
  const back = round(tip.x - direction * (HEAD + 2));
  const head = `M${round(tip.x)} ${round(tip.y)}L${back} ${round(tip.y - 4)}V${round(tip.y + 4)}Z`;
  return { path, head };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Returns the node that an arrow key moves to: a related one first; `undefined` if there is none on that side. */
export function neighbourOf({ nodes, edges }: Layout, from: string, key: string): string | undefined {
  if (key === 'Home') return nodes[0]?.id;
  const here = nodes.find(({ id }) => id === from);
  if (here === undefined) return undefined;
  const related = new Set(edges.flatMap((edge) => (edge.from === from ? edge.to : edge.to === from ? edge.from : [])));
  const isOnSide: Readonly<Record<string, (node: PlacedNode) => boolean>> = {
    ArrowRight: ({ x }) => x > here.x,
    ArrowLeft: ({ x }) => x < here.x,
    ArrowUp: ({ x, y }) => x === here.x && y < here.y,
    ArrowDown: ({ x, y }) => x === here.x && y > here.y,
  };
  const side = isOnSide[key];
  if (side === undefined) return undefined;
  const isSideways = key === 'ArrowRight' || key === 'ArrowLeft';
  // Up and down walk along a layer, whatever is related.
  const distance = ({ id, x, y }: PlacedNode): number =>
    Math.abs(x - here.x) + Math.abs(y - here.y) + (isSideways && !related.has(id) ? 1e6 : 0);
  return nodes.filter(side).sort((one, other) => distance(one) - distance(other))[0]?.id;
}
