import { callerOf } from "../../../shared/auth/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { Handler } from "../../../shared/http/handler.ts";
import type { oauthRoutes } from "../../../shared/routes/protocols/oauth.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { ConnectedApp } from "../../../shared/schemas/access/oauth.ts";
import { listGrants } from "../../../shared/stores/oauth/grants.ts";
import type { StoredGrant } from "../../../shared/stores/oauth/oauth-items.ts";
import type { OauthDeps } from "./oauth-deps.ts";

/** The apps of the caller; an admin may ask for those of another user. */
export const listConnectedApps: Handler<typeof oauthRoutes.listConnectedApps, OauthDeps> = async (
  { query, principal },
  { db, clock },
) => {
  const caller = callerOf(principal);
  const whose = query.user_id ?? caller.user_id;
  if (!caller.seesAll && whose !== caller.user_id) {
    throw new ServiceError("UNAUTHORIZED", "only an admin sees the apps of other users");
  }
  if (whose === null) return { data: [] };
  return { data: (await listGrants(db, whose, epochSeconds(clock))).map(shownApp) };
};

const shownApp = (grant: StoredGrant): ConnectedApp => ({
  id: grant.id,
  user_id: grant.user_id,
  name: grant.name,
  host: grant.host ?? null,
  goes_to: grant.goes_to,
  scopes: grant.scopes,
  created_at: grant.created_at,
  expires_at: grant.valid_until,
  last_used_at: grant.last_used_at ?? null,
});
