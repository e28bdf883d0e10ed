import { createContext, type ReactNode, useContext } from 'react';
import type { Path } from './document.ts';

/** Content at the end of a field for templates, by the path of its member. */
type FieldTool = (path: Path) => ReactNode;

const FieldToolContext = createContext<FieldTool | undefined>(undefined);
export const FieldToolProvider = FieldToolContext.Provider;

export function useFieldTool(path: Path): ReactNode {
  return useContext(FieldToolContext)?.(path);
}
