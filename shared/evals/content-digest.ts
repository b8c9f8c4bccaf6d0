import { versionContent } from "../domain/evals/version-digest.ts";
import { derivedId } from "../runtime/ids.ts";
import type { VersionRecord } from "../schemas/components/component-record.ts";
import { getVersion } from "../stores/components/version-item.ts";
import type { Db } from "../stores/db.ts";

/** An id of what a version runs; two versions with the same id run the same. */
export const digestOf = (version: Pick<VersionRecord, "config" | "links">): string =>
  derivedId(versionContent(version));

/** The same of a component as it is stored now; undefined for one that code declares, or that is gone. */
export async function contentDigest(
  db: Db,
  { id, version }: { readonly id: string; readonly version?: number | undefined },
): Promise<string | undefined> {
  const stored = version === undefined ? undefined : await getVersion(db, id, version);
  return stored && digestOf(stored);
}
