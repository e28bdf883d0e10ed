CREATE TABLE `cron_states` (
	`group_id` text PRIMARY KEY NOT NULL,
	`last_start` integer NOT NULL,
	`last_end` integer,
	`message` text DEFAULT '' NOT NULL,
	`has_error` integer DEFAULT 0 NOT NULL,
	`requested` integer NOT NULL,
	`attempts` integer NOT NULL,
	`holder` text,
	`lease_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `used_once` (
	`key` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_once_until` ON `used_once` (`until`);