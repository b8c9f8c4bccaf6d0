import type { VersionRecord } from "../../schemas/components/component-record.ts";
import { canonicalJson } from "../../schemas/values/json-values.ts";

/**
 * What a version runs, as text: its config, and the versions that it links. A draft can be edited, so its number alone does
 * not say what was evaluated.
 */
export const versionContent = ({ config, links }: Pick<VersionRecord, "config" | "links">): string =>
  canonicalJson({
    config,
    links: links.map(({ link_kind, link_key, child_component_id, child_version }) => [
      link_kind,
      link_key,
      child_component_id,
      child_version,
    ]),
  });
