ALTER TABLE `plans` ADD `holds` text;--> statement-breakpoint
CREATE UNIQUE INDEX `plans_holds` ON `plans` (`holds`) WHERE holds IS NOT NULL;