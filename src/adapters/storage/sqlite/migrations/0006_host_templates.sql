CREATE TABLE `host_templates` (
	`template` text NOT NULL,
	`host_id` integer NOT NULL,
	PRIMARY KEY(`template`, `host_id`),
	FOREIGN KEY (`host_id`) REFERENCES `hosts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `host_templates_host` ON `host_templates` (`host_id`,`template`);--> statement-breakpoint
CREATE TRIGGER `host_templates_added` AFTER INSERT ON `hosts` WHEN new.members <> '{}' BEGIN
	INSERT INTO host_templates (template, host_id) SELECT DISTINCT named, new.id FROM (
	SELECT CASE t.type
		WHEN 'text' THEN t.value
		WHEN 'object' THEN CASE json_type(t.value, '$."$oid"') WHEN 'text' THEN json_extract(t.value, '$."$oid"') END
	END AS named
	FROM json_each(CASE WHEN json_valid(new.members) THEN new.members ELSE '{}' END, '$.cmdb_templates') t
	WHERE json_type(CASE WHEN json_valid(new.members) THEN new.members ELSE '{}' END, '$.cmdb_templates') = 'array'
) WHERE named <> '';
END;--> statement-breakpoint
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
INSERT INTO host_templates (template, host_id)
SELECT DISTINCT named, id FROM (
	SELECT h.id, CASE t.type
		WHEN 'text' THEN t.value
		WHEN 'object' THEN CASE json_type(t.value, '$."$oid"') WHEN 'text' THEN json_extract(t.value, '$."$oid"') END
	END AS named
	FROM hosts h, json_each(CASE WHEN json_valid(h.members) THEN h.members ELSE '{}' END, '$.cmdb_templates') t
	WHERE h.members <> '{}' AND json_type(CASE WHEN json_valid(h.members) THEN h.members ELSE '{}' END, '$.cmdb_templates') = 'array'
) WHERE named <> '';
