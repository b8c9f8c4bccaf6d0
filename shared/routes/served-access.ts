import { accessRows } from "./access-rows.ts";
import type { Family } from "./index.ts";
import { A2A_PREFIX } from "./protocols/a2a-prefix.ts";
import { withServedProtocols } from "./protocols/protocol-operations.ts";
import type { AccessRows } from "./route.ts";
import type { Interfaces } from "./served.ts";

/** The access rows of the families that a deployment serves, with the paths at which it serves them. */
export function servedAccess(interfaces: Interfaces): Partial<Record<Family, AccessRows>> {
  const { a2a, runs, "service-accounts": accounts, ...others } = accessRows;
  const always = {
    ...others,
    runs: withServedProtocols(runs, interfaces),
    "service-accounts": withServedProtocols(accounts, interfaces),
  };
  return interfaces.A2A_ENABLED === "true" ? { ...always, a2a: below(interfaces.A2A_PREFIX, a2a) } : always;
}

/** The rows that scope mappings may name. An interface that is switched off may keep its mappings. */
export const mappableAccess = ({ A2A_PREFIX }: Pick<Interfaces, "A2A_PREFIX">) =>
  servedAccess({
    ...{ A2A_ENABLED: "true", A2A_PREFIX, AGUI_ENABLED: "true", UI_CHAT_ENABLED: "true" },
    ...{ MCP_ENABLED: "true", OPENAI_ENABLED: "true", MCP_AUTH: "builtin" },
  });

/** Replaces the default prefix, with which all paths of A2A begin but that of the card of the service. */
function below(prefix: Interfaces["A2A_PREFIX"], rows: AccessRows): AccessRows {
  const moved = Object.entries(rows).map(([operation, row]) => [
    operation,
    row.path.startsWith(`${A2A_PREFIX}/`)
      ? { ...row, path: `${prefix}${row.path.slice(A2A_PREFIX.length)}` }
      : row,
  ]);
  return Object.fromEntries(moved);
}
