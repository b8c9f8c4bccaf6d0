import { ServiceError } from "../../errors.ts";
import type { ConfigStage } from "../../schemas/components/component.ts";
import type {
  ComponentLink,
  ComponentRecord,
  VersionRecord,
} from "../../schemas/components/component-record.ts";
import type { ComponentChange, Relied } from "./component-change.ts";
import { goLive } from "./go-live.ts";

/** The content of a version, ready to be stored. */
export type VersionContent = {
  readonly config: Record<string, unknown>;
  readonly stage: ConfigStage;
  readonly label: string | undefined;
  readonly notes: string | undefined;
  readonly links: readonly ComponentLink[];
  readonly linksGiven: boolean;
};

/** The result of `checkLinks`. */
type CheckedLinks = { readonly relied: Relied; readonly children: string[] };

/**
 * Adds a version, under the next number. One that is published is live at once.
 *
 * @param component  as it is; a new one has no versions yet
 * @param now        epoch seconds
 * @source docs/interface/components.md 3.1
 */
export function planNewVersion(
  component: ComponentRecord,
  content: VersionContent,
  { relied, children }: CheckedLinks,
  now: number,
): ComponentChange {
  const { component_id, next_version } = component;
  const after = versionFrom({ component_id, version: next_version, created_at: now }, content);
  const counted = {
    ...component,
    children,
    next_version: next_version + 1,
    living_versions: component.living_versions + 1,
  };
  return {
    component: content.stage === "published" ? goLive(counted, after, now) : counted,
    after,
    pinned: after.links,
    unpinned: [],
    relied,
  };
}

/**
 * Changes a draft, or publishes it.
 *
 * @param content  the whole version as it is afterwards
 * @throws ServiceError BAD_REQUEST for a published version
 */
export function planEditedVersion(
  component: ComponentRecord,
  before: VersionRecord,
  content: VersionContent,
  { relied, children }: CheckedLinks,
  now: number,
): ComponentChange {
  requireDraft(before);
  const { component_id, version, created_at } = before;
  const after = { ...versionFrom({ component_id, version, created_at }, content), updated_at: now };
  const counted = { ...component, children };
  return {
    component: content.stage === "published" ? goLive(counted, after, now) : counted,
    before,
    after,
    pinned: after.links,
    unpinned: before.links,
    relied,
  };
}

/** @throws ServiceError BAD_REQUEST for a published version: it never changes */
export function requireDraft({ version, stage }: VersionRecord): void {
  if (stage === "draft") return;
  throw new ServiceError(
    "BAD_REQUEST",
    `version ${version} is published and cannot be changed; add a new version`,
  );
}

function versionFrom(
  identity: Pick<VersionRecord, "component_id" | "version" | "created_at">,
  { config, stage, label, notes, links, linksGiven }: VersionContent,
): VersionRecord {
  return {
    ...identity,
    stage,
    config,
    ...(label !== undefined && { label }),
    ...(notes !== undefined && { notes }),
    links: [...links],
    ...(linksGiven && { links_given: true }),
  };
}
