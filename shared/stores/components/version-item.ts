import * as v from "valibot";
import type { Item } from "../../data/item.ts";
import { VersionRecord } from "../../schemas/components/component-record.ts";
import { versionKey } from "./component-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const VERSION_SHAPE = 1;

/** Config and links are stored as text: an item allows 32 levels of nesting, JSON any number. */
export const versionItem = ({ config, links, ...version }: VersionRecord): Item => ({
  ...version,
  ...versionKey(version.component_id, version.version),
  config: JSON.stringify(config),
  links: JSON.stringify(links),
  shape: VERSION_SHAPE,
});

/** @throws when the item is not a version of a shape that this code reads */
export const versionFrom = ({ config, links, ...item }: Item): VersionRecord =>
  v.parse(VersionRecord, { ...item, config: parsed(config), links: parsed(links) });

const parsed = (text: unknown): unknown => (typeof text === "string" ? JSON.parse(text) : undefined);
