CREATE TABLE `ownership` (
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`remote_id` text,
	`hostname` text NOT NULL,
	`digest` text NOT NULL,
	`secrets` text NOT NULL,
	`written_at` integer NOT NULL,
	`pending` text,
	PRIMARY KEY(`account_id`, `kind`, `key`)
);
--> statement-breakpoint
CREATE TABLE `plan_entries` (
	`plan_id` text NOT NULL,
	`number` integer NOT NULL,
	`action` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`previous_key` text,
	`hostname` text,
	`outcome` text,
	`reason` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`plan_id`, `number`)
);
--> statement-breakpoint
CREATE INDEX `plan_entries_action` ON `plan_entries` (`plan_id`,`action`,`number`);--> statement-breakpoint
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`account` text NOT NULL,
	`made_by` text NOT NULL,
	`made_at` integer NOT NULL,
	`hosts_revision` integer NOT NULL,
	`rules_revision` text NOT NULL,
	`status` text NOT NULL,
	`lease_until` integer NOT NULL,
	`holder` text,
	`counts` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`needs_approval` integer DEFAULT 0 NOT NULL,
	`approved_by` text,
	`approved_at` integer,
	`applied_by` text,
	`applied_at` integer,
	`ended_at` integer,
	`message` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `plans_made` ON `plans` (`made_at`,`id`);--> statement-breakpoint
CREATE INDEX `plans_account` ON `plans` (`account_id`,`made_at`,`id`);