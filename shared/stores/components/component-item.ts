import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { type Audience, audienceOf } from "../../domain/components/audience.ts";
import type { Component, ComponentType } from "../../schemas/components/component.ts";
import { ComponentRecord } from "../../schemas/components/component-record.ts";
import { fitsKey } from "../../schemas/values/key-text.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const COMPONENT_SHAPE = 2;

export const stateOf = ({ deleted_at }: Pick<Component, "deleted_at">): ComponentState =>
  deleted_at === undefined ? "living" : "archived";

/** Metadata is stored as text: an item allows 32 levels of nesting, JSON any number. */
export function componentItem(component: ComponentRecord): Item {
  const { component_id, component_type, created_at, metadata } = component;
  const state = stateOf(component);
  return {
    ...component,
    ...componentKey(component_id),
    metadata: metadata && JSON.stringify(metadata),
    audience_key: audiencePartition(state, audienceOf(component), component_type),
    type_key: typePartition(state, component_type),
    opened: openedKey(created_at, component_id),
    shape: COMPONENT_SHAPE,
  };
}

/** @throws when the item is not a component of a shape that this code reads */
const componentFrom = ({ metadata, ...item }: Item): ComponentRecord =>
  v.parse(ComponentRecord, {
    ...item,
    ...(typeof metadata === "string" && { metadata: JSON.parse(metadata) }),
  });

/** Digits of a version in its key, so that text sorts as numbers do. */
const VERSION_DIGITS = 6;
/** Above every instant in epoch seconds: the difference to it sorts the newest first. */
const TIME_CEILING = 10 ** 12;
/** Items that share a count, so that creating components has no hot key. */
const COUNT_SHARDS = 4;

const partition = (id: string) => `component#${id}`;

export const componentKey = (id: string) => ({ pk: partition(id), sk: "component" });
export const versionKey = (id: string, version: number) => ({
  pk: partition(id),
  sk: `version#${String(version).padStart(VERSION_DIGITS, "0")}`,
});
export const labelKey = (id: string, label: string) => ({ pk: partition(id), sk: `label#${label}` });
export const pinsKey = (id: string) => ({ pk: partition(id), sk: "pins" });

/** The attribute of the pins item that counts the links to one version. */
export const pinsOf = (version: number): string => `version_${version}`;

export type ComponentState = "living" | "archived";

/** Partitions of the two indexes. */
export const audiencePartition = (state: ComponentState, audience: Audience, type: ComponentType): string =>
  `${state}#${audience}#${type}`;
export const typePartition = (state: ComponentState, type: ComponentType): string => `${state}#${type}`;

/** Sorts by creation, the newest first; ties go by id. */
const openedKey = (createdAt: number, id: string): string =>
  `${String(TIME_CEILING - createdAt).padStart(12, "0")}#${id}`;

/** Whose components are counted; `all` for everybody's. */
export type Counted = Audience | "all";

export const countsPartition = (counted: Counted): string => `counts#${counted}`;

export function countKey(counted: Counted, componentId: string) {
  const shard = createHash("sha256").update(componentId).digest().readUInt32BE(0) % COUNT_SHARDS;
  return { pk: countsPartition(counted), sk: `shard#${shard}` };
}
/** The attribute of a count. */
export const countOf = (state: ComponentState, type: ComponentType): string => `${state}_${type}`;

/** A component as it is now, archived ones too; undefined also for an id that no key can hold. */
export async function getComponent(db: Db, id: string): Promise<ComponentRecord | undefined> {
  if (!fitsKey(id)) return undefined;
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.components, Key: componentKey(id), ConsistentRead: true }),
  );
  return Item && componentFrom(Item);
}

export type Place = { readonly state: ComponentState; readonly type: ComponentType };

/**
 * Reads components by id, in the order of the ids, each once. Ids that do not exist are left out, and so are those that
 * no key can hold: configs may name anything.
 */
export async function readComponents(db: Db, ids: readonly string[]): Promise<ComponentRecord[]> {
  const distinct = [...new Set(ids)].filter(fitsKey);
  const items = await batchGet(db, db.tables.components, distinct.map(componentKey));
  const byId = new Map(items.map((item) => [item.component_id, componentFrom(item)]));
  return distinct.flatMap((id) => byId.get(id) ?? []);
}
