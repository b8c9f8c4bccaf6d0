import type {
  ComponentLink,
  ComponentRecord,
  VersionRecord,
} from "../../schemas/components/component-record.ts";

/** Other components that a decision relied on, by id: the revision that was read, or none for one that is not stored. */
export type Relied = ReadonlyMap<string, number | undefined>;

/** What changes atomically. Refused when the component, or one that the decision relied on, has changed since. */
export type ComponentChange = {
  /** As it is afterwards; the write sets its revision. */
  readonly component: ComponentRecord;
  /** The version before and after; one is missing when the version is created or deleted. */
  readonly before?: VersionRecord;
  readonly after?: VersionRecord;
  /** Links that are added to the children's reference counts, and links that are taken from them. */
  readonly pinned: readonly ComponentLink[];
  readonly unpinned: readonly ComponentLink[];
  readonly relied: Relied;
  /** What no other component may link to for this change: the component itself, or one of its versions. */
  readonly unreferenced?: "component" | number;
};

export const noLinks = {
  pinned: [],
  unpinned: [],
  relied: new Map(),
} as const satisfies Partial<ComponentChange>;
