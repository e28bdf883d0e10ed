import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { IconMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Graph, layoutGraph, NODE_HEIGHT, neighbourOf, opened, type PlacedNode } from './graph-layout.ts';
import { relationText } from './relation-words.ts';

export interface GraphDrawingProps {
  readonly graph: Graph;
  /** True if a step of the user has just put this host in the middle. */
  readonly hasFocus?: boolean;
  /** Called with the host to look at. */
  readonly onChoose: (hostname: string) => void;
  /** Called with the host to move to the middle. */
  readonly onWalk: (hostname: string) => void;
}

const ZOOM_STEP = 1.25;
const LEAST_ZOOM = 0.1;
const MOST_ZOOM = 2;
/** Names are readable from here on; a larger graph opens at its full size instead, with the host in the middle of the window. */
const READABLE = 0.7;
/** As in the stylesheet. */
const MOST_HEIGHT = 480;

/** Hosts as boxes in layers, with one place for the keyboard among them, in a window that is moved and zoomed. */
export function GraphDrawing({ graph, hasFocus = false, onChoose, onWalk }: GraphDrawingProps) {
  const { hostname: middle } = graph;
  const [further, setFurther] = useState<ReadonlyMap<string, number>>(new Map());
  const layout = useMemo(() => layoutGraph(graph, further), [graph, further]);
  const [chosen, setChosen] = useState(middle);
  const [zoom, setZoom] = useState(1);
  const frame = useRef<HTMLDivElement>(null);
  const focusesChosen = useRef(hasFocus);
  const types = useMemo(
    () => [...new Map(graph.edges.map((edge) => [edge.type, relationText(edge, 'outgoing')]))],
    [graph],
  );
  const { nodes, edges, width, height } = layout;

  function fitting(): number {
    return Math.min(1, (frame.current?.clientWidth ?? width) / width, MOST_HEIGHT / height);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the opening
  useLayoutEffect(() => {
    const fit = fitting();
    if (fit >= READABLE) setZoom(fit);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen comes into view by its focus; a click does not move the graph
  useLayoutEffect(() => {
    const node = nodes.find(({ id }) => id === chosen);
    const { current: box } = frame;
    if (box === null || node === undefined) return;
    box.scrollTo(node.x * zoom - box.clientWidth / 2, node.y * zoom - box.clientHeight / 2);
  }, [zoom, layout]);

  useLayoutEffect(() => {
    if (!focusesChosen.current) return;
    focusesChosen.current = false;
    const place = nodes.findIndex(({ id }) => id === chosen);
    frame.current?.querySelector<SVGGElement>(`[data-place="${place}"]`)?.focus();
  }, [nodes, chosen]);

  function zoomBy(factor: number): void {
    setZoom(Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, zoom * factor)));
  }

  function choose({ id, rest }: PlacedNode): void {
    setChosen(id);
    if (rest === undefined) onChoose(id);
  }

  /** Draws more hosts of a branch, or walks to the host. */
  function open({ id, rest }: PlacedNode): void {
    if (rest === undefined) onWalk(id);
    else {
      const first = rest.hostnames[0] as string;
      focusesChosen.current = true;
      setFurther(opened(further, rest));
      setChosen(first);
      onChoose(first);
    }
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const here = nodes.find(({ id }) => id === chosen);
    const next = nodes.find(({ id }) => id === neighbourOf(layout, chosen, key));
    if ((key === 'Enter' || key === ' ') && here !== undefined) open(here);
    else if (key === '+' || key === '=') zoomBy(ZOOM_STEP);
    else if (key === '-') zoomBy(1 / ZOOM_STEP);
    else if (key === '0') setZoom(fitting());
    else if (next !== undefined) {
      focusesChosen.current = true;
      choose(next);
    } else return;
    event.preventDefault();
  }

  function onDrag({ buttons, pointerType, movementX, movementY }: PointerEvent): void {
    // Fingers move it by themselves.
    if (pointerType === 'mouse' && buttons === 1) frame.current?.scrollBy(-movementX, -movementY);
  }

  return (
    <>
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap="md">
          {types.map(([type, label]) => (
            <Group key={type} gap={6}>
              <svg width={32} height={10} aria-hidden="true">
                <path d="M0 5H26" className={`graph-edge graph-edge-${type}`} />
                <path d="M32 5L24 1V9Z" className={`graph-head graph-head-${type}`} />
              </svg>
              <Text size="xs">{label}</Text>
            </Group>
          ))}
        </Group>
        <ActionIcon.Group className="not-printed">
          <ActionIcon variant="default" aria-label={t`Zoom in`} title={t`Zoom in`} onClick={() => zoomBy(ZOOM_STEP)}>
            <IconZoomIn size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t`Zoom out`}
            title={t`Zoom out`}
            onClick={() => zoomBy(1 / ZOOM_STEP)}
          >
            <IconZoomOut size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t`Show the whole graph`}
            title={t`Show the whole graph`}
            onClick={() => setZoom(fitting())}
          >
            <IconMaximize size={16} aria-hidden />
          </ActionIcon>
        </ActionIcon.Group>
      </Group>
      <Box
        ref={frame}
        className="graph"
        role="group"
        aria-label={t`Hosts around ${middle}`}
        onKeyDown={onKey}
        onPointerMove={onDrag}
      >
        <svg viewBox={`0 0 ${width} ${height}`} width={width * zoom} height={height * zoom}>
          <title>{t`Hosts around ${middle}`}</title>
          {edges.map(({ from, type, to, path, head }) => {
            const near = from === chosen || to === chosen ? ' graph-near' : '';
            return (
              <g key={`${from} ${type} ${to}`}>
                <path d={path} className={`graph-edge graph-edge-${type}${near}`} />
                <path d={head} className={`graph-head graph-head-${type}`} />
              </g>
            );
          })}
          {nodes.map((node, place) => (
            <Node
              key={node.id}
              node={node}
              place={place}
              isChosen={node.id === chosen}
              onClick={() => (node.rest === undefined ? choose(node) : open(node))}
              onDoubleClick={() => node.rest === undefined && open(node)}
            />
          ))}
        </svg>
      </Box>
    </>
  );
}

interface NodeProps {
  readonly node: PlacedNode;
  readonly place: number;
  readonly isChosen: boolean;
  readonly onClick: () => void;
  readonly onDoubleClick: () => void;
}

function Node({ node, place, isChosen, onClick, onDoubleClick }: NodeProps) {
  const { id, hop, text, rest, x, y, width } = node;
  const kind = rest !== undefined ? ' graph-rest' : hop === 0 ? ' graph-middle' : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be drawn inside of a picture
    <g
      role="button"
      tabIndex={isChosen ? 0 : -1}
      {...(rest === undefined && { 'aria-pressed': isChosen })}
      aria-label={placeText(node)}
      data-place={place}
      className={`graph-node${kind}${isChosen ? ' graph-chosen' : ''}`}
      transform={`translate(${x} ${y})`}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
    >
      <title>{rest === undefined ? id : placeText(node)}</title>
      <rect x={-width / 2} y={-NODE_HEIGHT / 2} width={width} height={NODE_HEIGHT} rx={4} />
      <text textAnchor="middle" dominantBaseline="central" aria-hidden>
        {text}
      </text>
    </g>
  );
}

function placeText({ id: hostname, hop, rest }: PlacedNode): string {
  if (rest !== undefined) {
    return plural(rest.hostnames.length, { one: 'Show # more host', other: 'Show more of # more hosts' });
  }
  if (hop === 0) return t`${hostname}, in the middle`;
  return hop === 1 ? t`${hostname}, one step away` : t`${hostname}, two steps away`;
}
