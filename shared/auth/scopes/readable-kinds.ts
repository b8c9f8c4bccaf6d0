import { ServiceError } from "../../errors.ts";
import type { Principal } from "../principal.ts";
import { readableIds } from "./scopes.ts";

const kinds = ["agent", "team", "workflow"] as const;
type Kind = (typeof kinds)[number];

/** A kind of component, with the ids of those that a caller may read or run. */
type ReadableKind = { readonly component_type: Kind; readonly ids: ReturnType<typeof readableIds> };

type Requested = {
  readonly component_type?: Kind | undefined;
  readonly component_id?: string | undefined;
};

/**
 * The kinds that a request is about and its caller may read, or run, with the components of each.
 *
 * @throws ServiceError UNAUTHORIZED when there is none
 */
export function readableKinds(
  principal: Pick<Principal, "scopes" | "admin">,
  { component_type, component_id }: Requested,
  action: "read" | "run" = "read",
): ReadableKind[] {
  const requested = component_type === undefined ? kinds : [component_type];
  const readable = requested
    .map((kind): ReadableKind => ({ component_type: kind, ids: readableIds(principal, `${kind}s`, action) }))
    .filter(
      ({ ids }) => ids === "all" || (component_id === undefined ? ids.size > 0 : ids.has(component_id)),
    );
  if (readable.length > 0) return readable;
  const needed = requested.map((kind) => `${kind}s:${action}`).join(" or ");
  throw new ServiceError("UNAUTHORIZED", `Insufficient permissions. Required scope(s): ${needed}`);
}
