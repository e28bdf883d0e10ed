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
INSERT INTO `host_feed_state` (`id`, `feed`, `pruned`, `last_place`, `last_change`) VALUES (1, lower(hex(randomblob(16))), 0, 0, 0);
