-- An edge is there as long as one of its sources names it. What stood here so far was added by hand, or came with a document.
CREATE TABLE `relations_by_source` (
	`hostname` text NOT NULL,
	`type` text NOT NULL,
	`target` text NOT NULL,
	`source` text NOT NULL,
	`named_at` integer,
	PRIMARY KEY(`hostname`, `type`, `target`, `source`)
);
--> statement-breakpoint
INSERT INTO `relations_by_source` (`hostname`, `type`, `target`, `source`) SELECT `hostname`, `type`, `target`, `source` FROM `relations`;--> statement-breakpoint
DROP TABLE `relations`;--> statement-breakpoint
ALTER TABLE `relations_by_source` RENAME TO `relations`;--> statement-breakpoint
CREATE INDEX `relations_target` ON `relations` (`target`,`type`,`hostname`);--> statement-breakpoint
CREATE INDEX `relations_named` ON `relations` (`source`,`named_at`) WHERE named_at IS NOT NULL;
