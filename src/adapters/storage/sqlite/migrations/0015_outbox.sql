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
