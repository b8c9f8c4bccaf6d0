import type { Schedule } from "../../../client/index.ts";
import { type Kind, pluralOf } from "../../api/kinds.ts";

export type Target = { readonly kind: Kind; readonly id: string };

const kindOf = { agents: "agent", teams: "team", workflows: "workflow" } as const;

/** The component that a schedule runs; undefined where it calls something else. */
export function targetOf({ method, endpoint }: Pick<Schedule, "method" | "endpoint">): Target | undefined {
  const found = /^\/(agents|teams|workflows)\/([^/?#]+)\/runs\/?$/.exec(endpoint);
  const [, plural, id] = found ?? [];
  if (method !== "POST" || plural === undefined || id === undefined) return undefined;
  return { kind: kindOf[plural as keyof typeof kindOf], id: decoded(id) };
}

export const endpointOf = ({ kind, id }: Target): string =>
  `/${pluralOf[kind]}/${encodeURIComponent(id)}/runs`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
