import { t } from '@lingui/core/macro';
import { Box, Group, Text } from '@mantine/core';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import {
  type GraphEdge,
  type GraphNode,
  layoutGraph,
  NAME_LENGTH,
  neighbourOf,
  type PlacedNode,
} from './graph-layout.ts';
import { relationText } from './relation-words.ts';

interface GraphDrawingProps {
  readonly graph: {
    readonly hostname: string;
    readonly nodes: readonly GraphNode[];
    readonly edges: readonly GraphEdge[];
  };
  /** Called with the host to look at. */
  readonly onChoose: (hostname: string) => void;
  /** Called with the host to move to the middle. */
  readonly onWalk: (hostname: string) => void;
}

/** Number of hosts that fit the width of a page with readable names; more are moved about in a window. */
const FITS = 40;

/** Hosts as points on rings, with one place for the keyboard among them. */
export function GraphDrawing({ graph, onChoose, onWalk }: GraphDrawingProps) {
  const layout = useMemo(() => layoutGraph(graph), [graph]);
  const [chosen, setChosen] = useState(graph.hostname);
  const drawing = useRef<SVGSVGElement>(null);
  const { nodes, reach } = layout;
  const { hostname: middle } = graph;
  const byName = useMemo(() => new Map(nodes.map((node) => [node.hostname, node])), [nodes]);
  const types = useMemo(
    () => [...new Map(graph.edges.map((edge) => [edge.type, relationText(edge, 'outgoing')]))],
    [graph],
  );
  const isLarge = nodes.length > FITS;

  function choose(hostname: string): void {
    setChosen(hostname);
    onChoose(hostname);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onWalk(chosen);
      return;
    }
    const next = neighbourOf(nodes, chosen, event.key);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    const place = nodes.findIndex(({ hostname }) => hostname === next);
    drawing.current?.querySelector<SVGGElement>(`[data-place="${place}"]`)?.focus();
  }

  return (
    <>
      <Group gap="md" mb={4}>
        {types.map(([type, label]) => (
          <Group key={type} gap={6}>
            <svg width={28} height={8} aria-hidden="true">
              <line x1={0} y1={4} x2={28} y2={4} className={`graph-edge graph-edge-${type}`} />
            </svg>
            <Text size="xs">{label}</Text>
          </Group>
        ))}
      </Group>
      <Box
        className={isLarge ? 'graph graph-large' : 'graph'}
        role="group"
        aria-label={t`Hosts around ${middle}`}
        {...(isLarge && { tabIndex: 0 })}
      >
        <svg
          ref={drawing}
          viewBox={`${-reach} ${-reach} ${2 * reach} ${2 * reach}`}
          {...(isLarge && { width: 2 * reach, height: 2 * reach })}
          onKeyDown={onKey}
        >
          <title>{t`Hosts around ${middle}`}</title>
          <g>
            {graph.edges.map(({ from, to, type }) => {
              const [start, end] = [byName.get(from), byName.get(to)];
              if (start === undefined || end === undefined) return null;
              const isNear = from === chosen || to === chosen;
              return (
                <line
                  key={`${from} ${type} ${to}`}
                  x1={start.x}
                  y1={start.y}
                  x2={end.x}
                  y2={end.y}
                  className={`graph-edge graph-edge-${type}${isNear ? ' graph-near' : ''}`}
                />
              );
            })}
          </g>
          {nodes.map((node, place) => (
            <Node
              key={node.hostname}
              node={node}
              place={place}
              isChosen={node.hostname === chosen}
              onChoose={choose}
              onWalk={onWalk}
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
  readonly onChoose: (hostname: string) => void;
  readonly onWalk: (hostname: string) => void;
}

function Node({ node: { hostname, hop, x, y, angle }, place, isChosen, onChoose, onWalk }: NodeProps) {
  const isLeft = angle > 90 && angle < 270;
  const short = hostname.slice(0, NAME_LENGTH);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot be drawn inside of a picture
    <g
      role="button"
      tabIndex={isChosen ? 0 : -1}
      aria-pressed={isChosen}
      aria-label={placeText(hostname, hop)}
      data-place={place}
      className={isChosen ? 'graph-node graph-chosen' : 'graph-node'}
      transform={`translate(${x} ${y})`}
      onClick={() => onChoose(hostname)}
      onDoubleClick={() => onWalk(hostname)}
    >
      <title>{hostname}</title>
      <circle r={hop === 0 ? 11 : hop === 1 ? 8 : 6} />
      {hop === 0 ? (
        <text y={-18} textAnchor="middle">
          {short}
        </text>
      ) : (
        <text
          transform={`rotate(${isLeft ? angle + 180 : angle})`}
          x={isLeft ? -12 : 12}
          dominantBaseline="middle"
          textAnchor={isLeft ? 'end' : 'start'}
        >
          {short}
        </text>
      )}
    </g>
  );
}

function placeText(hostname: string, hop: number): string {
  if (hop === 0) return t`${hostname}, in the middle`;
  return hop === 1 ? t`${hostname}, one step away` : t`${hostname}, two steps away`;
}
