import { callerOf } from "../../shared/auth/caller.ts";
import { hashOfToken, shownPartOf } from "../../shared/auth/service-account-token.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { serviceAccountRoutes } from "../../shared/routes/service-accounts.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { MintedServiceAccount } from "../../shared/schemas/access/service-account.ts";
import type { StoredAccount } from "../../shared/stores/service-accounts/account-item.ts";
import { mintAccount } from "../../shared/stores/service-accounts/mint-account.ts";
import { planMint } from "./plan-mint.ts";
import type { ServiceAccountsDeps } from "./service-accounts-deps.ts";
import { wireAccount } from "./wire-account.ts";

/**
 * Mints an account that belongs to the caller. The token is shown in this one answer only, which may not be cached.
 *
 * @source contract, approvals-and-service-accounts B3
 */
export const mintServiceAccount: Handler<
  typeof serviceAccountRoutes.mintServiceAccount,
  ServiceAccountsDeps
> = async ({ body, principal }, { db, clock, adminScope, newId, newToken }) => {
  const now = epochSeconds(clock);
  const { scopes, valid_until } = planMint(body, principal, adminScope, now);
  const owner = callerOf(principal).user_id ?? undefined;
  const token = newToken();
  const account: StoredAccount = {
    id: newId(),
    name: body.name,
    ...(owner !== undefined && { user_id: owner, created_by: owner }),
    token_hash: hashOfToken(token),
    token_prefix: shownPartOf(token),
    scopes: [...scopes],
    ...(typeof body.daily_tokens === "number" && { daily_tokens: body.daily_tokens }),
    ...(typeof body.daily_cost === "number" && { daily_cost: body.daily_cost }),
    created_at: now,
    ...(valid_until !== undefined && { valid_until }),
  };
  if (!(await mintAccount(db, account))) {
    throw new ServiceError("CONFLICT", `a service account named ${body.name} exists; revoke it first`);
  }
  const minted: MintedServiceAccount = { ...wireAccount(account), token };
  return new Reply(201, minted, { "cache-control": "no-store" });
};
