import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { type LazyPage, lazyPage, showing } from '../parts/lazy-page.tsx';
import { choiceParam, startParam, textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';

const DeletedPage = lazyPage(() => import('./deleted-page.tsx').then((module) => module.DeletedPage));
const ExportPage = lazyPage(() => import('./export-page.tsx').then((module) => module.ExportPage));
const ImportPage = lazyPage(() => import('./import-page.tsx').then((module) => module.ImportPage));
const NewRulePage = lazyPage(() => import('./new-rule-page.tsx').then((module) => module.NewRulePage));
const ProjectPage = lazyPage(() => import('./project-page.tsx').then((module) => module.ProjectPage));
const RulePage = lazyPage(() => import('./rule-page.tsx').then((module) => module.RulePage));
const KeptPage = lazyPage(() => import('./kept-page.tsx').then((module) => module.KeptPage));
const PipelinePage = lazyPage(() => import('./pipeline-page.tsx').then((module) => module.PipelinePage));
const UsesPage = lazyPage(() => import('./uses-page.tsx').then((module) => module.UsesPage));
const RulesPage = lazyPage(() => import('./rules-page.tsx').then((module) => module.RulesPage));

interface NewRuleSearch {
  /** The rule that it begins as a copy of. */
  readonly copy?: string | undefined;
  readonly project?: string | undefined;
  /** A search for hosts, or names of hosts separated by commas, to turn into its conditions. */
  readonly where?: string | undefined;
  readonly account?: string | undefined;
  readonly kind?: 'hosts' | 'objects' | undefined;
  readonly state?: 'archived' | 'any' | undefined;
  readonly hosts?: string | undefined;
}

/** Shows the page to users who may see rules. */
function forRules(title: string, Content: LazyPage): LazyPage {
  return showing(function ForRules() {
    return (
      <Allowed operation="rules/describe-rule-types" title={title}>
        <Content />
      </Allowed>
    );
  }, Content);
}

export const rulesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules',
    component: forRules(t`Rules`, PipelinePage),
    validateSearch: (
      search: Record<string, unknown>,
    ): { search?: string | undefined; show?: 'unmatched' | 'failing' | 'disabled' | undefined } => ({
      search: textParam(search.search),
      show: choiceParam(search.show, ['unmatched', 'failing', 'disabled']),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/kept',
    component: forRules(t`Kept for other systems`, KeptPage),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/import',
    component: forRules(t`Import rules`, ImportPage),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/export',
    component: forRules(t`Export rules`, ExportPage),
    validateSearch: (search: Record<string, unknown>): { type?: string | undefined } => ({
      type: textParam(search.type),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/deleted',
    component: forRules(t`Deleted`, DeletedPage),
    validateSearch: (search: Record<string, unknown>): { type?: string | undefined } => ({
      type: textParam(search.type),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/uses',
    component: forRules(t`Uses of an attribute`, UsesPage),
    validateSearch: (search: Record<string, unknown>): { attribute?: string | undefined } => ({
      attribute: textParam(search.attribute),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/projects/$project',
    component: forRules(t`Project`, ProjectPage),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/$type',
    component: forRules(t`Rules`, RulesPage),
    validateSearch: (search: Record<string, unknown>): { search?: string | undefined; start?: number | undefined } => ({
      search: textParam(search.search),
      start: startParam(search.start),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/$type/new',
    component: forRules(t`New rule`, NewRulePage),
    validateSearch: (search: Record<string, unknown>): NewRuleSearch => ({
      copy: textParam(search.copy),
      project: textParam(search.project),
      where: textParam(search.where),
      account: textParam(search.account),
      kind: choiceParam(search.kind, ['hosts', 'objects']),
      state: choiceParam(search.state, ['archived', 'any']),
      hosts: textParam(search.hosts),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/$type/$id',
    component: forRules(t`Rule`, RulePage),
    validateSearch: (search: Record<string, unknown>): { tab?: 'history' | undefined } => ({
      tab: choiceParam(search.tab, ['history']),
    }),
  }),
] as const;
