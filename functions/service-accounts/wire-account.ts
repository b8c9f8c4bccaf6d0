import { subjectOfAccount } from "../../shared/schemas/access/account-user-id.ts";
import type { ScopeRead, ServiceAccount } from "../../shared/schemas/access/service-account.ts";
import type { StoredAccount } from "../../shared/stores/service-accounts/account-item.ts";

/** An account as lists show it: neither its token nor the hash of it. */
export const wireAccount = (account: StoredAccount): ServiceAccount => ({
  id: account.id,
  name: account.name,
  principal: subjectOfAccount(account.name),
  user_id: account.user_id ?? null,
  token_prefix: account.token_prefix,
  scopes: account.scopes.map(scopeRead),
  created_at: account.created_at,
  expires_at: account.valid_until ?? null,
  last_used_at: account.last_used_at ?? null,
  revoked_at: account.revoked_at ?? null,
  created_by: account.created_by ?? null,
  ...(account.daily_tokens !== undefined && { daily_tokens: account.daily_tokens }),
  ...(account.daily_cost !== undefined && { daily_cost: account.daily_cost }),
});

/** `system` is shown as `config`, which it means; an admin scope of one word is its own namespace. */
function scopeRead(raw: string): ScopeRead {
  const [first = "", ...rest] = raw.split(":");
  return {
    id: null,
    raw,
    namespace: first === "system" ? "config" : first,
    sub_namespace: rest.length > 1 ? (rest[0] ?? null) : null,
    permission: rest.at(-1) ?? "",
    value: "allow",
  };
}
