CREATE TABLE `account_marks` (
	`hostname` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`account_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`hostname`, `kind`, `value`, `account_id`)
);
--> statement-breakpoint
CREATE INDEX `account_marks_by_account` ON `account_marks` (`account_id`,`kind`,`value`,`hostname`);