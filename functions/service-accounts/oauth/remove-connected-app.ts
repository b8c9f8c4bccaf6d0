import { callerOf } from "../../../shared/auth/caller.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { getGrant } from "../../../shared/stores/oauth/find-app-token.ts";
import { endGrant } from "../../../shared/stores/oauth/grants.ts";
import type { OauthDeps } from "./oauth-deps.ts";

/** Disconnects an app of the caller, or for an admin of anybody. Its tokens are refused once what is cached of them is gone. */
export const removeConnectedApp: Handler<typeof oauthRoutes.removeConnectedApp, OauthDeps> = async (
  { params, principal },
  { db, clock },
) => {
  const caller = callerOf(principal);
  const grant = await getGrant(db, params.app_id);
  if (!grant || (!caller.seesAll && grant.user_id !== caller.user_id)) {
    throw notFound("connected app", params.app_id);
  }
  await endGrant(db, grant, epochSeconds(clock), true);
  return undefined;
};
