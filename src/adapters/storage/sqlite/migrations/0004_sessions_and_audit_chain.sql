CREATE TABLE `audit_chain` (
	`id` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_forwarded` (
	`target` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`credential` text NOT NULL,
	`begun_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`address` text NOT NULL,
	`client` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`seen_at`);--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `details` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `seq` integer;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `mark` text;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_seq` ON `audit_entries` (`seq`) WHERE seq IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_unlinked` ON `audit_entries` (`at`,`id`) WHERE seq IS NULL;