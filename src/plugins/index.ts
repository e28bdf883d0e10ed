import type { Plugin } from '../ports/index.ts';
import automationCustomvars from './automation-customvars/index.ts';
import automationFilter from './automation-filter/index.ts';
import automationInventory from './automation-inventory/index.ts';
import automationProjects from './automation-projects/index.ts';
import automationRewrite from './automation-rewrite/index.ts';
import csv from './csv/index.ts';
import customAttributes from './custom-attributes/index.ts';
import json from './json/index.ts';

/** Every plugin that comes with the program. A test compares this list with the folders. */
export const BUILTIN_PLUGINS = [
  automationCustomvars,
  automationFilter,
  automationInventory,
  automationProjects,
  automationRewrite,
  csv,
  customAttributes,
  json,
] as unknown as readonly Plugin<never>[];
