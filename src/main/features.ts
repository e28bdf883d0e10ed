import type { Services } from '../adapters/listener/services.ts';
import { autorules } from '../app/autorules/feature.ts';
import { backups } from '../app/backups/feature.ts';
import type { Feature } from '../app/catalogue/declared-feature.ts';
import { changeFeed } from '../app/change-feed/feature.ts';
import { corrections } from '../app/corrections/feature.ts';
import { earlierTimes } from '../app/earlier-times/feature.ts';
import { explain } from '../app/explain/feature.ts';
import { exports } from '../app/exports/feature.ts';
import { hostComments } from '../app/host-comments/feature.ts';
import { hostDays } from '../app/host-days/feature.ts';
import { logins } from '../app/logins/feature.ts';
import type { UpkeepParts } from '../app/maintenance/upkeep-parts.ts';
import { migration } from '../app/migration/feature.ts';
import { notifications } from '../app/notifications/feature.ts';
import { playbooks } from '../app/playbooks/feature.ts';
import { presets } from '../app/presets/feature.ts';
import { preview } from '../app/preview/feature.ts';
import { relations } from '../app/relations/feature.ts';
import { rulesFolder } from '../app/rules-folder/feature.ts';
import type { RunParts } from '../app/runs/run-parts.ts';
import { search } from '../app/search/feature.ts';
import { snoozes } from '../app/snoozes/feature.ts';
import { storageTools } from '../app/storage-tools/feature.ts';
import { undo } from '../app/undo/feature.ts';
import type { UserParts } from '../app/users/user-parts.ts';
import { webhooks } from '../app/webhooks/feature.ts';
import { core } from './core.ts';

/** The core, and all features of the program. The build makes the lists of operations from it. */
export const FEATURES: readonly (Feature<Services> & UpkeepParts & RunParts & UserParts)[] = [
  core,
  search,
  changeFeed,
  hostDays,
  relations,
  hostComments,
  corrections,
  presets,
  explain,
  earlierTimes,
  preview,
  autorules,
  rulesFolder,
  webhooks,
  playbooks,
  exports,
  notifications,
  snoozes,
  undo,
  logins,
  storageTools,
  backups,
  migration,
];
