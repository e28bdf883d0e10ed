import type { Plugin } from '../ports/index.ts';
import automationInventory from './automation-inventory/index.ts';
import csv from './csv/index.ts';
import json from './json/index.ts';

/** Every plugin that comes with the program. A test compares this list with the folders. */
export const BUILTIN_PLUGINS = [automationInventory, csv, json] as readonly Plugin<never>[];
