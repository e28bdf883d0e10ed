import { mariadb } from './mariadb.ts';
import { netbox } from './netbox.ts';
import { openbao } from './openbao.ts';
import { postgresql } from './postgresql.ts';
import type { Recipe } from './recipe.ts';
import { samba } from './samba.ts';
import { slapd } from './slapd.ts';

/** Every server that tests start, in the order in which they are listed. */
export const RECIPES: readonly Recipe[] = [mariadb, netbox, openbao, postgresql, samba, slapd];
