import type { ComponentRecord, VersionRecord } from "../../schemas/components/component-record.ts";

export type Reader = { readonly seesAll: boolean; readonly user_id: string | null };
type Owned = Pick<ComponentRecord, "user_id" | "current_version" | "deleted_at">;

/** Everybody, or one user. Admins see all components in any case. */
export type Audience = "open" | `owner#${string}`;

/**
 * Who sees a component in lists: everybody, if it has no owner or is published; else only its owner.
 *
 * @source docs/interface/components.md 4.1
 */
export function audienceOf({ user_id, current_version, deleted_at }: Owned): Audience {
  if (user_id === undefined) return "open";
  return current_version !== undefined && deleted_at === undefined ? "open" : `owner#${user_id}`;
}

export const maySee = (reader: Reader, component: Owned): boolean =>
  reader.seesAll || audienceOf(component) === "open" || isOwn(reader, component);

/** Drafts of a component are visible to its owner and to admins only. */
export const maySeeVersion = (reader: Reader, component: Owned, { stage }: VersionRecord): boolean =>
  stage === "published" || component.user_id === undefined || reader.seesAll || isOwn(reader, component);

/** @decided a component without an owner is changed by an admin only */
export const mayChange = (reader: Reader, component: Owned): boolean =>
  reader.seesAll || isOwn(reader, component);

const isOwn = ({ user_id }: Reader, component: Owned): boolean =>
  user_id !== null && component.user_id === user_id;

/** The audiences that a reader belongs to; all of them for an admin. */
export const audiencesOf = (reader: Reader): readonly Audience[] | "all" => {
  if (reader.seesAll) return "all";
  return reader.user_id === null ? ["open"] : ["open", `owner#${reader.user_id}`];
};
