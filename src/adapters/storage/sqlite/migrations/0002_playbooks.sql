CREATE TABLE `playbook_matches` (
	`hostname` text NOT NULL,
	`rule_id` text NOT NULL,
	`playbook` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`hostname`, `rule_id`, `playbook`)
);
--> statement-breakpoint
CREATE TABLE `playbook_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`playbook` text NOT NULL,
	`provider` text NOT NULL,
	`hostname` text,
	`check_mode` integer NOT NULL,
	`source` text NOT NULL,
	`started_by` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`status` text NOT NULL,
	`exit_code` integer,
	`message` text DEFAULT '' NOT NULL,
	`lease_until` integer NOT NULL,
	`cancel_requested` integer DEFAULT 0 NOT NULL,
	`output` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `playbook_runs_started` ON `playbook_runs` (`started_at`,`id`);