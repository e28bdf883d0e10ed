CREATE TABLE `active_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`lease_until` integer NOT NULL,
	`cancel_requested` integer DEFAULT 0 NOT NULL,
	`run` text NOT NULL,
	`progress` text
);
--> statement-breakpoint
CREATE INDEX `active_runs_account` ON `active_runs` (`account_id`);