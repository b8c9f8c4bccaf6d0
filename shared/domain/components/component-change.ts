import type {
  ComponentLink,
  ComponentRecord,
  VersionRecord,
} from "../../schemas/components/component-record.ts";

/** Other components that a decision relied on, by id: the revision that was seen, or none for one that is not stored. */
export type Relied = ReadonlyMap<string, number | undefined>;

/** What changes together, or not at all. Refused when the component or one that was relied on has changed meanwhile. */
export type ComponentChange = {
  /** As it is afterwards; its revision is set when it is written. */
  readonly component: ComponentRecord;
  /** The version as it was and as it will be; one side is missing where it is made or deleted. */
  readonly before?: VersionRecord;
  readonly after?: VersionRecord;
  /** Links that begin to hold their children, and links that let go. */
  readonly pinned: readonly ComponentLink[];
  readonly unpinned: readonly ComponentLink[];
  readonly relied: Relied;
  /** What nobody else may hold for this to be done: the component itself, or one of its versions. */
  readonly unheld?: "component" | number;
};

export const noLinks = {
  pinned: [],
  unpinned: [],
  relied: new Map(),
} as const satisfies Partial<ComponentChange>;
