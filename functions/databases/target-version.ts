import { ServiceError } from "../../shared/errors.ts";
import { latestVersionOf, type MigratableDatabase, versionsOf } from "../../shared/migrations/databases.ts";

/** What a request says about the version it wants. */
type VersionQuery = { readonly target_version?: string | null | undefined } | null | undefined;

/** The query counts before the body. */
export const requestedVersion = (query: VersionQuery, body: VersionQuery): string | undefined =>
  query?.target_version ?? body?.target_version ?? undefined;

/** The version to migrate a database to, the newest when none is asked for; undefined when it has no such version. */
export function targetVersion(
  database: MigratableDatabase,
  requested: string | undefined,
): number | undefined {
  if (requested === undefined) return latestVersionOf(database);
  return versionsOf(database).find((version) => String(version) === requested);
}

/** @source docs/interface/platform.md 1.5 */
export function unknownVersion(database: MigratableDatabase, requested: string | undefined): ServiceError {
  const known = versionsOf(database).join(", ");
  const detail = `database ${database.id} has no version ${requested}; it can be migrated to ${known}`;
  return new ServiceError("BAD_REQUEST", detail);
}
