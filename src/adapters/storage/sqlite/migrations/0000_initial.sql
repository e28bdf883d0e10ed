CREATE TABLE `account_counters` (
	`account_id` text PRIMARY KEY NOT NULL,
	`hosts` integer DEFAULT 0 NOT NULL,
	`objects` integer DEFAULT 0 NOT NULL,
	`archived_hosts` integer DEFAULT 0 NOT NULL,
	`archived_objects` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `account_marks` (
	`hostname` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`account_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`hostname`, `kind`, `value`, `account_id`)
);
--> statement-breakpoint
CREATE INDEX `account_marks_by_account` ON `account_marks` (`account_id`,`kind`,`value`,`hostname`);--> statement-breakpoint
CREATE INDEX `account_marks_key` ON `account_marks` (`value`,`hostname`,`account_id`) WHERE kind = 'key';--> statement-breakpoint
CREATE TABLE `active_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`lease_until` integer NOT NULL,
	`cancel_requested` integer DEFAULT 0 NOT NULL,
	`run` text NOT NULL,
	`progress` text
);
--> statement-breakpoint
CREATE INDEX `active_runs_account` ON `active_runs` (`account_id`);--> statement-breakpoint
CREATE TABLE `audit_chain` (
	`id` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL
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
	`request_id` text NOT NULL,
	`details` text DEFAULT '' NOT NULL,
	`seq` integer,
	`mark` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_seq` ON `audit_entries` (`seq`) WHERE seq IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_unlinked` ON `audit_entries` (`at`,`id`) WHERE seq IS NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_at` ON `audit_entries` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`actor`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_operation` ON `audit_entries` (`operation`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `audit_forwarded` (
	`target` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`mark` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `host_counts` (
	`day` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`accounts` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `host_feed` (
	`place` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text NOT NULL,
	`notes` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `host_feed_at` ON `host_feed` (`at`);--> statement-breakpoint
CREATE TABLE `host_feed_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`feed` text NOT NULL,
	`pruned` integer NOT NULL,
	`last_place` integer NOT NULL,
	`last_change` integer NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `host_templates` (
	`template` text NOT NULL,
	`host_id` integer NOT NULL,
	PRIMARY KEY(`template`, `host_id`),
	FOREIGN KEY (`host_id`) REFERENCES `hosts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `host_templates_host` ON `host_templates` (`host_id`,`template`);--> statement-breakpoint
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
	`details` text NOT NULL,
	`wording` text
);
--> statement-breakpoint
CREATE INDEX `log_entries_at` ON `log_entries` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `log_entries_source` ON `log_entries` (`source`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`place` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`receiver` text NOT NULL,
	`topic` text NOT NULL,
	`at` integer NOT NULL,
	`state` text NOT NULL,
	`body` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	`error` text NOT NULL,
	`settled_at` integer,
	`holder` text NOT NULL,
	`lease_until` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_id_unique` ON `outbox` (`id`);--> statement-breakpoint
CREATE INDEX `outbox_state` ON `outbox` (`state`,`receiver`,`place`);--> statement-breakpoint
CREATE INDEX `outbox_topic` ON `outbox` (`topic`,`place`);--> statement-breakpoint
CREATE INDEX `outbox_receiver` ON `outbox` (`receiver`,`place`);--> statement-breakpoint
CREATE TABLE `outbox_marks` (
	`name` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
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
	`message` text DEFAULT '' NOT NULL,
	`holds` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plans_holds` ON `plans` (`holds`) WHERE holds IS NOT NULL;--> statement-breakpoint
CREATE INDEX `plans_made` ON `plans` (`made_at`,`id`);--> statement-breakpoint
CREATE INDEX `plans_account` ON `plans` (`account_id`,`made_at`,`id`);--> statement-breakpoint
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
CREATE INDEX `playbook_runs_started` ON `playbook_runs` (`started_at`,`id`);--> statement-breakpoint
CREATE TABLE `published` (
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`digest` text NOT NULL,
	`size` integer NOT NULL,
	`published_at` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `relations` (
	`hostname` text NOT NULL,
	`type` text NOT NULL,
	`target` text NOT NULL,
	`source` text NOT NULL,
	`named_at` integer,
	PRIMARY KEY(`hostname`, `type`, `target`, `source`)
);
--> statement-breakpoint
CREATE INDEX `relations_target` ON `relations` (`target`,`type`,`hostname`);--> statement-breakpoint
CREATE INDEX `relations_named` ON `relations` (`source`,`named_at`) WHERE named_at IS NOT NULL;--> statement-breakpoint
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
	`confirmed_by` text DEFAULT 'operator',
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
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`credential` text NOT NULL,
	`begun_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`address` text NOT NULL,
	`client` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`method` text,
	`subject` text,
	`provider_session` text,
	`kept` text,
	`vouched_at` integer,
	`asked_at` integer
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`seen_at`);--> statement-breakpoint
CREATE INDEX `sessions_login` ON `sessions` (`method`,`subject`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`user_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `token_uses` (
	`token_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `used_once` (
	`key` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_once_until` ON `used_once` (`until`);--> statement-breakpoint
-- There is none for inserts, which would cost each imported host: a new host is given its members by an update.
CREATE TRIGGER `host_templates_changed` AFTER UPDATE OF `members` ON `hosts` WHEN new.members <> old.members BEGIN
	DELETE FROM host_templates WHERE host_id = old.id;
	INSERT INTO host_templates (template, host_id) SELECT DISTINCT named, new.id FROM (
	SELECT CASE t.type
		WHEN 'text' THEN t.value
		WHEN 'object' THEN CASE json_type(t.value, '$."$oid"') WHEN 'text' THEN json_extract(t.value, '$."$oid"') END
	END AS named
	FROM json_each(CASE WHEN json_valid(new.members) THEN new.members ELSE '{}' END, '$.cmdb_templates') t
	WHERE json_type(CASE WHEN json_valid(new.members) THEN new.members ELSE '{}' END, '$.cmdb_templates') = 'array'
) WHERE named <> '';
END;--> statement-breakpoint
INSERT INTO `host_feed_state` (`id`, `feed`, `pruned`, `last_place`, `last_change`) VALUES (1, lower(hex(randomblob(16))), 0, 0, 0);
