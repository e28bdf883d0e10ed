CREATE TABLE `account_counters` (
	`account_id` text PRIMARY KEY NOT NULL,
	`hosts` integer DEFAULT 0 NOT NULL,
	`objects` integer DEFAULT 0 NOT NULL,
	`archived_hosts` integer DEFAULT 0 NOT NULL,
	`archived_objects` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`entrance` text NOT NULL,
	`address` text NOT NULL,
	`operation` text NOT NULL,
	`subject` text NOT NULL,
	`outcome` text NOT NULL,
	`request_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entries_at` ON `audit_entries` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`actor`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_operation` ON `audit_entries` (`operation`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `contributions` (
	`host_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`precedence` integer NOT NULL,
	`is_owner` integer NOT NULL,
	`labels` text NOT NULL,
	`at` integer NOT NULL,
	`run_id` text,
	PRIMARY KEY(`host_id`, `account_id`),
	FOREIGN KEY (`host_id`) REFERENCES `hosts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `contributions_account` ON `contributions` (`account_id`);--> statement-breakpoint
CREATE TABLE `host_changes` (
	`seq` integer PRIMARY KEY NOT NULL,
	`hostname` text NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text NOT NULL,
	`kind` text NOT NULL,
	`changes` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `host_changes_hostname` ON `host_changes` (`hostname`,`at`);--> statement-breakpoint
CREATE INDEX `host_changes_at` ON `host_changes` (`at`);--> statement-breakpoint
CREATE TABLE `host_marks` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_seen` integer,
	`run_id` text
);
--> statement-breakpoint
CREATE TABLE `host_ranges` (
	`first` text PRIMARY KEY NOT NULL,
	`hosts` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `hosts` (
	`id` integer PRIMARY KEY NOT NULL,
	`hostname` text NOT NULL,
	`account_id` text,
	`is_object` integer NOT NULL,
	`archived_at` integer,
	`archived_by` text,
	`object_type` text NOT NULL,
	`folder` text,
	`created_at` integer NOT NULL,
	`created_kind` text NOT NULL,
	`created_by` text NOT NULL,
	`last_update` integer,
	`contributed` integer DEFAULT 0 NOT NULL,
	`members` text DEFAULT '{}' NOT NULL,
	`labels` text NOT NULL,
	`inventory` text DEFAULT '{}' NOT NULL,
	CONSTRAINT "hosts_archive" CHECK((archived_at IS NULL) = (archived_by IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hosts_hostname` ON `hosts` (`hostname`);--> statement-breakpoint
CREATE INDEX `hosts_active` ON `hosts` (`hostname`) WHERE archived_at IS NULL AND is_object = 0;--> statement-breakpoint
CREATE INDEX `hosts_objects` ON `hosts` (`hostname`,`archived_at`) WHERE is_object = 1;--> statement-breakpoint
CREATE INDEX `hosts_archived` ON `hosts` (`hostname`,`is_object`) WHERE archived_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `hosts_account` ON `hosts` (`account_id`,`hostname`,`is_object`,`archived_at`);--> statement-breakpoint
CREATE TABLE `log_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`source` text NOT NULL,
	`has_error` integer NOT NULL,
	`message` text NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `log_entries_at` ON `log_entries` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `log_entries_source` ON `log_entries` (`source`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `relations` (
	`hostname` text NOT NULL,
	`type` text NOT NULL,
	`target` text NOT NULL,
	`source` text NOT NULL,
	PRIMARY KEY(`hostname`, `type`, `target`)
);
--> statement-breakpoint
CREATE INDEX `relations_target` ON `relations` (`target`,`type`,`hostname`);--> statement-breakpoint
CREATE TABLE `revisions` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rule_versions` (
	`seq` integer PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`version` integer NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`change` text NOT NULL,
	`document` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rule_versions_rule` ON `rule_versions` (`type`,`id`);--> statement-breakpoint
CREATE INDEX `rule_versions_at` ON `rule_versions` (`at`);--> statement-breakpoint
CREATE TABLE `rules` (
	`type` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`unique_value` text,
	`version` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`document` text NOT NULL,
	PRIMARY KEY(`type`, `id`)
);
--> statement-breakpoint
CREATE INDEX `rules_name` ON `rules` (`type`,`name`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `rules_unique_value` ON `rules` (`type`,`unique_value`) WHERE unique_value IS NOT NULL;--> statement-breakpoint
CREATE TABLE `seen_counts` (
	`account_id` text NOT NULL,
	`unit` integer NOT NULL,
	`at` integer NOT NULL,
	`hosts` integer NOT NULL,
	PRIMARY KEY(`account_id`, `unit`, `at`)
);
--> statement-breakpoint
CREATE TABLE `token_uses` (
	`token_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
