import type { ErrorComponentProps } from '@tanstack/react-router';
import { Problem } from './problem.tsx';

/** A page that could not be drawn. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  return <Problem error={error instanceof Error ? error : new Error(String(error))} retry={reset} />;
}
