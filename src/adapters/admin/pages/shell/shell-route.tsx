import { createRootRoute } from '@tanstack/react-router';
import { PageFault } from '../parts/page-fault.tsx';
import { PageNotFound } from '../parts/page-not-found.tsx';
import { Shell } from './shell.tsx';

/** The frame around every page. */
export const shellRoute = createRootRoute({
  component: Shell,
  notFoundComponent: PageNotFound,
  errorComponent: PageFault,
});
