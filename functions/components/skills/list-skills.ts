import { callerOf } from "../../../shared/auth/caller.ts";
import { readableIds } from "../../../shared/auth/scopes/scopes.ts";
import { audiencesOf } from "../../../shared/domain/components/audience.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import { newestComponents } from "../../../shared/stores/components/list-components.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { describeSkill } from "./describe-skill.ts";

export const listSkills: Handler<typeof componentRoutes.listSkills, ComponentsDeps> = async (
  { principal },
  { db, codeDefined },
) => {
  const ids = readableIds(principal, "skills");
  const components = await newestComponents(db, {
    audiences: audiencesOf(callerOf(principal)),
    type: "skill",
    hidden: codeDefined.map(({ id }) => id),
  });
  const readable = components.filter(({ component_id }) => ids === "all" || ids.has(component_id));
  const shown = await Promise.all(readable.map((one) => describeSkill(db, one)));
  return shown.filter((one) => one !== undefined);
};
