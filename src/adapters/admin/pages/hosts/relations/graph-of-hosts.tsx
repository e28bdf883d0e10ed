import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { GraphDrawingProps } from './graph-drawing.tsx';

// It brings the library that lays graphs out, which few pages need.
const GraphDrawing = lazy(async () => ({ default: (await import('./graph-drawing.tsx')).GraphDrawing }));

/** A drawing of hosts and their relations; another host in the middle resets it. */
export function GraphOfHosts(props: GraphDrawingProps) {
  return (
    <Suspense fallback={<Skeleton h={240} />}>
      <GraphDrawing key={props.graph.hostname} {...props} />
    </Suspense>
  );
}
