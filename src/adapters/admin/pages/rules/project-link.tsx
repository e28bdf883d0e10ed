import type { ReactNode } from 'react';
import { TextLink } from '../parts/links.tsx';

interface ProjectLinkProps {
  readonly name: string;
  /** Instead of its name. */
  readonly children?: ReactNode;
}

/** Leads to the page of a project, with all its rules. */
export function ProjectLink({ name, children = name }: ProjectLinkProps) {
  return (
    <TextLink to="/rules/projects/$project" params={{ project: name }} size="sm" className="wrap-anywhere">
      {children}
    </TextLink>
  );
}
