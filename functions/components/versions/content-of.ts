import type { VersionContent } from "../../../shared/domain/components/plan-version.ts";
import { stageOf } from "../../../shared/domain/components/stage.ts";
import { storedConfig } from "../../../shared/domain/components/stored-config.ts";
import type { CreateRunnableBody } from "../../../shared/schemas/components/component-bodies.ts";

/** The content of a version, without its links. */
export type Unlinked = Omit<VersionContent, "links" | "linksGiven">;

/**
 * A new version as a request describes it.
 *
 * @throws ServiceError BAD_REQUEST for a stage that does not exist; as `storedConfig` says
 */
export const contentOf = ({
  config,
  stage,
  label,
  notes,
}: Pick<CreateRunnableBody, "config" | "stage" | "label" | "notes">): Unlinked => ({
  config: storedConfig(config ?? {}),
  stage: stageOf(stage ?? "draft"),
  label: label ?? undefined,
  notes: notes ?? undefined,
});
