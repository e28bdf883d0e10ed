CREATE TABLE `sign_ins` (
	`user_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `method` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `subject` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `provider_session` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `kept` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `vouched_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `asked_at` integer;--> statement-breakpoint
CREATE INDEX `sessions_login` ON `sessions` (`method`,`subject`);