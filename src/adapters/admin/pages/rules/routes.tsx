import { createRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Allowed } from '../parts/allowed.tsx';
import { choiceParam, startParam, textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';
import { ExportPage } from './export-page.tsx';
import { ImportPage } from './import-page.tsx';
import { NewRulePage } from './new-rule-page.tsx';
import { RulePage } from './rule-page.tsx';
import { RuleTypesPage } from './rule-types-page.tsx';
import { RulesPage } from './rules-page.tsx';

type PageComponent = () => ReactNode;

/** The page for who may see rules. */
function forRules(title: string, Content: PageComponent): PageComponent {
  return function ForRules() {
    return (
      <Allowed operation="rules/describe-rule-types" title={title}>
        <Content />
      </Allowed>
    );
  };
}

export const rulesRoutes = [
  createRoute({ getParentRoute: () => shellRoute, path: '/rules', component: forRules('Rules', RuleTypesPage) }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/import',
    component: forRules('Import rules', ImportPage),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/export',
    component: forRules('Export rules', ExportPage),
    validateSearch: (search: Record<string, unknown>): { type?: string | undefined } => ({
      type: textParam(search.type),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/$type',
    component: forRules('Rules', RulesPage),
    validateSearch: (search: Record<string, unknown>): { search?: string | undefined; start?: number | undefined } => ({
      search: textParam(search.search),
      start: startParam(search.start),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/$type/new',
    component: forRules('New rule', NewRulePage),
    validateSearch: (search: Record<string, unknown>): { copy?: string | undefined } => ({
      copy: textParam(search.copy),
    }),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/rules/$type/$id',
    component: forRules('Rule', RulePage),
    validateSearch: (search: Record<string, unknown>): { tab?: 'history' | undefined } => ({
      tab: choiceParam(search.tab, ['history']),
    }),
  }),
] as const;
