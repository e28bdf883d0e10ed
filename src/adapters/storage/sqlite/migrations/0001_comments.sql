CREATE TABLE `host_comments` (
	`hostname` text NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`author` text NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`hostname`, `id`)
);
