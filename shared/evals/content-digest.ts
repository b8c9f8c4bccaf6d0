import { derivedId } from "../runtime/ids.ts";
import type { VersionRecord } from "../schemas/components/component-record.ts";
import { canonicalJson } from "../schemas/values/json-values.ts";
import { getVersion } from "../stores/components/version-item.ts";
import type { Db } from "../stores/db.ts";

type Content = Pick<VersionRecord, "config" | "links">;

/** A skill whose content is known before it is stored. */
export type SkillContent = Pick<VersionRecord, "component_id" | "version" | "config">;

/**
 * An id of what a version runs; two versions with the same id run the same.
 *
 * @param unsaved  a version of a skill as it is about to be stored
 */
export async function digestOf(db: Db, version: Content, unsaved?: SkillContent): Promise<string> {
  return derivedId(versionContent(version, await linkedSkills(db, version, unsaved)));
}

/** The same of a component as it is stored now; undefined for one that code declares, or that is gone. */
export async function contentDigest(
  db: Db,
  { id, version }: { readonly id: string; readonly version?: number | undefined },
): Promise<string | undefined> {
  const stored = version === undefined ? undefined : await getVersion(db, id, version);
  return stored && digestOf(db, stored);
}

/** The skills that a version links, sorted by id. */
async function linkedSkills(db: Db, { links }: Content, unsaved?: SkillContent): Promise<SkillContent[]> {
  const isUnsaved = (id: string, version: number): boolean =>
    id === unsaved?.component_id && version === unsaved.version;
  const read = links
    .filter(({ link_kind }) => link_kind === "skill")
    .map(({ child_component_id: id, child_version }) =>
      isUnsaved(id, child_version) ? unsaved : getVersion(db, id, child_version),
    );
  const skills = (await Promise.all(read)).filter((one) => one !== undefined);
  return skills.sort((a, b) => (a.component_id < b.component_id ? -1 : 1));
}

/**
 * What a version runs, as text: its config, the versions that it links, and the skills among them. A draft can be edited, so its
 * number alone does not say what was evaluated.
 */
const versionContent = ({ config, links }: Content, skills: readonly SkillContent[]): string =>
  canonicalJson({
    config,
    links: links.map(({ link_kind, link_key, child_component_id, child_version }) => [
      link_kind,
      link_key,
      child_component_id,
      child_version,
    ]),
    ...(skills.length > 0 && {
      skills: skills.map(({ component_id, config: { name, files } }) => ({ component_id, name, files })),
    }),
  });
