CREATE TABLE `host_counts` (
	`day` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`accounts` text NOT NULL
);
