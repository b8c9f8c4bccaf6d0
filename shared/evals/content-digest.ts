import { derivedId } from "../runtime/ids.ts";
import type { VersionRecord } from "../schemas/components/component-record.ts";
import { canonicalJson } from "../schemas/values/json-values.ts";
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

/**
 * What a version runs, as text: its config, and the versions that it links. A draft can be edited, so its number alone does
 * not say what was evaluated.
 */
const versionContent = ({ config, links }: Pick<VersionRecord, "config" | "links">): string =>
  canonicalJson({
    config,
    links: links.map(({ link_kind, link_key, child_component_id, child_version }) => [
      link_kind,
      link_key,
      child_component_id,
      child_version,
    ]),
  });
