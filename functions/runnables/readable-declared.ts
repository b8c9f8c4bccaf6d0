import type { Principal } from "../../shared/auth/principal.ts";
import { type RunnableKind, readableIds } from "../../shared/auth/scopes/scopes.ts";
import type { Registry } from "../../shared/engine/define/registry.ts";

/**
 * What the registry declares of a kind, as far as the caller may read it: who may read some only gets those.
 *
 * @source contract, auth section 7, "Listing rule"
 */
export function readableDeclared<K extends RunnableKind>(
  registry: Registry,
  principal: Principal,
  kind: K,
): readonly Registry[K][number][] {
  const ids = readableIds(principal, kind);
  return registry[kind].filter(({ id }) => ids === "all" || ids.has(id));
}
