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
