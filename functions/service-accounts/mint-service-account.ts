import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import { hashOfToken, shownPartOf } from "../../shared/auth/identify/service-account-token.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { serviceAccountRoutes } from "../../shared/routes/service-accounts.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { accountNameOf } from "../../shared/schemas/access/account-user-id.ts";
import type { MintedServiceAccount } from "../../shared/schemas/access/service-account.ts";
import {
  findName,
  type NamedAccount,
  type StoredAccount,
} from "../../shared/stores/service-accounts/account-item.ts";
import { mintAccount } from "../../shared/stores/service-accounts/mint-account.ts";
import { planMint } from "./plan-mint.ts";
import type { ServiceAccountsDeps } from "./service-accounts-deps.ts";
import { wireAccount } from "./wire-account.ts";

/**
 * Mints an account that belongs to the caller, or to the first owner of its name where an admin mints it again. The token
 * is shown in this one answer only, which may not be cached.
 */
export const mintServiceAccount: Handler<
  typeof serviceAccountRoutes.mintServiceAccount,
  ServiceAccountsDeps
> = async ({ body, principal }, { db, clock, adminScope, newId, newToken }) => {
  const now = epochSeconds(clock);
  const { scopes, valid_until } = planMint(body, principal, adminScope, now);
  const caller = callerOf(principal);
  const held = await findName(db, body.name);
  const owner = planOwner(body.name, held, caller);
  const token = newToken();
  const account: StoredAccount = {
    id: newId(),
    name: body.name,
    ...(owner !== null && { user_id: owner }),
    ...(caller.user_id !== null && { created_by: caller.user_id }),
    token_hash: hashOfToken(token),
    token_prefix: shownPartOf(token),
    scopes: [...scopes],
    ...(typeof body.daily_tokens === "number" && { daily_tokens: body.daily_tokens }),
    ...(typeof body.daily_cost === "number" && { daily_cost: body.daily_cost }),
    created_at: now,
    ...(valid_until !== undefined && { valid_until }),
  };
  const minter = principal.kind === "service_account" ? accountNameOf(principal.user_id ?? "") : undefined;
  const written = await mintAccount(db, account, held, minter);
  if (written === "minter_revoked") throw new ServiceError("UNAUTHENTICATED", "This account was revoked");
  if (!written) throw nameInUse(body.name);
  const minted: MintedServiceAccount = { ...wireAccount(account), token };
  return new Reply(201, minted, { "cache-control": "no-store" });
};

/**
 * Decides who owns an account with a name. A name stands for a user id, and so for sessions, memories and schedules: it
 * belongs to who first had it, also after it was revoked. An admin may mint it again for that owner.
 *
 * @param held  the account that has the name, or had it last
 * @returns     null for an account that is unowned
 * @throws ServiceError CONFLICT for a name that is in use, or another owner's
 * @source docs/interface/service-accounts.md 2.2; names that mean something are reserved
 */
function planOwner(name: string, held: NamedAccount | undefined, caller: Caller): string | null {
  if (!held) return caller.user_id;
  if (!caller.seesAll && held.owner !== caller.user_id) {
    throw new ServiceError("CONFLICT", `the name ${name} belongs to another owner; choose another name`);
  }
  if (held.revoked_at === undefined) throw nameInUse(name);
  return held.owner;
}

const nameInUse = (name: string): ServiceError =>
  new ServiceError("CONFLICT", `a service account named ${name} exists; revoke it first`);
