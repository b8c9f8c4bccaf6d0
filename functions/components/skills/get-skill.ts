import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { componentRoutes } from "../../../shared/routes/components.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { ofType, visibleComponent } from "../visible-component.ts";
import { describeSkill } from "./describe-skill.ts";

/** @throws ServiceError NOT_FOUND also for what the caller may not see, and for a component of another type */
export const getSkill: Handler<typeof componentRoutes.getSkill, ComponentsDeps> = async (
  { params, principal },
  { db },
) => {
  const id = params.skill_id;
  const component = ofType(await visibleComponent(db, callerOf(principal), id), "skill");
  const shown = component && (await describeSkill(db, component));
  if (!shown) throw notFound("component", id);
  return shown;
};
