import { createHash } from "node:crypto";
import type { Audience } from "../../domain/components/audience.ts";
import type { ComponentType } from "../../schemas/components/component.ts";

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
export const openedKey = (createdAt: number, id: string): string =>
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
