import { ServiceError } from "../../shared/errors.ts";
import { latestVersionOf, type MigratableDatabase, versionsOf } from "../../shared/migrations/databases.ts";

/** What a request says about the version it wants. */
type Asked = { readonly target_version?: string | null | undefined } | null | undefined;

/** The query counts before the body. */
export const askedVersion = (query: Asked, body: Asked): string | undefined =>
  query?.target_version ?? body?.target_version ?? undefined;

/** The version to migrate a database to, the newest when none is asked for; undefined when it has no such version. */
export function targetVersion(database: MigratableDatabase, asked: string | undefined): number | undefined {
  if (asked === undefined) return latestVersionOf(database);
  return versionsOf(database).find((version) => String(version) === asked);
}

/** @source contract, components-and-platform B3: 400, whether it is a number or not */
export function unknownVersion(database: MigratableDatabase, asked: string | undefined): ServiceError {
  const known = versionsOf(database).join(", ");
  const detail = `database ${database.id} has no version ${asked}; it can be migrated to ${known}`;
  return new ServiceError("BAD_REQUEST", detail);
}
