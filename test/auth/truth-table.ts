import { families } from "../../shared/routes/index.ts";
import { createMatcher } from "../../shared/routes/matcher.ts";
import type { Method, RouteTable } from "../../shared/routes/route.ts";

/** Allowed; Forbidden; Unauthenticated; 404: the credential is fine and the path leads nowhere. */
export type Verdict = "A" | "F" | "U" | 404;
export type Row = readonly [number, readonly string[] | null, `${Method} ${string}`, Verdict];

/**
 * The scope decision table as the contract prints it; null is a request without a token. A row with several
 * tokens or requests is written out. Rows 97 and 103 are decided elsewhere: by a handler, and by `foreignRows`.
 *
 * @source contract, auth section 12a
 */
export const truthTable: readonly Row[] = [
  [1, null, "GET /config", "U"],
  [2, null, "GET /health", "A"],
  [2, null, "GET /info", "A"],
  [2, null, "GET /", "A"],
  [3, null, "GET /nope", "U"],
  [4, [], "GET /nope", 404],
  [5, [], "GET /config", "F"],
  [6, ["config:read"], "GET /config", "A"],
  [7, ["config:read"], "GET /models", "A"],
  [8, ["system:read"], "GET /config", "A"],
  [9, ["system:*:read"], "GET /config", "A"],
  [10, ["config:*:read"], "GET /config", "A"],
  [11, ["config:x:read"], "GET /config", "F"],
  [12, ["config:write"], "GET /config", "F"],
  [13, ["system:write"], "POST /databases/all/migrate", "A"],
  [14, ["system:read"], "POST /databases/main/migrate", "F"],
  [15, ["config:read"], "GET /registry", "F"],
  [16, ["registry:read"], "GET /registry", "A"],
  [17, ["platform:admin"], "GET /config", "A"],
  [17, ["platform:admin"], "DELETE /sessions/s", "A"],
  [18, ["platform:*:admin"], "GET /config", "F"],
  [19, ["admin"], "GET /config", "F"],
  [20, ["*"], "GET /config", "F"],
  [20, ["*:*"], "GET /config", "F"],
  [20, ["*:read"], "GET /config", "F"],
  [21, ["CONFIG:READ"], "GET /config", "F"],
  [21, ["config: READ"], "GET /config", "F"],
  [21, ["config:READ"], "GET /config", "F"],
  [22, ["agents:read"], "GET /agents", "A"],
  [23, ["agents:*:read"], "GET /agents", "A"],
  [24, ["agents:a1:read"], "GET /agents", "A"],
  [25, ["agents:a1:read", "agents:a2:read"], "GET /agents", "A"],
  [26, ["agents:zz:read"], "GET /agents", "A"],
  [27, ["agents:run"], "GET /agents", "F"],
  [28, ["agents:a1:run"], "GET /agents", "F"],
  [29, ["agents:write"], "GET /agents", "F"],
  [30, ["teams:read"], "GET /agents", "F"],
  [31, [], "GET /agents", "F"],
  [32, ["agents:*"], "GET /agents", "F"],
  [32, ["agents:read:extra:x"], "GET /agents", "F"],
  [33, ["agents:a1:read"], "GET /agents/a1", "A"],
  [34, ["agents:a1:read"], "GET /agents/a2", "F"],
  [35, ["teams:t1:read"], "GET /teams", "A"],
  [36, ["workflows:w1:read"], "GET /workflows", "A"],
  [37, ["agents:run"], "POST /agents/a1/runs", "A"],
  [38, ["agents:a1:run"], "POST /agents/a1/runs", "A"],
  [39, ["agents:a1:run"], "POST /agents/a2/runs", "F"],
  [40, ["agents:*:run"], "POST /agents/a2/runs", "A"],
  [41, ["agents:read"], "POST /agents/a1/runs", "F"],
  [42, ["teams:run"], "POST /agents/a1/runs", "F"],
  [43, ["agents:a1:run"], "POST /agents/a1/runs/r/cancel", "A"],
  [44, ["agents:a1:run"], "POST /agents/a1/runs/r/continue", "A"],
  [45, ["agents:read"], "POST /agents/a1/runs/r/cancel", "F"],
  [46, ["agents:run"], "GET /agents/a1/runs/r", "F"],
  [47, ["agents:read"], "GET /agents/a1/runs/r", "F"],
  [48, ["agents:read", "agents:run"], "GET /agents/a1/runs/r", "A"],
  [49, ["agents:a1:read", "agents:a1:run"], "GET /agents/a1/runs/r", "A"],
  [50, [], "POST /agents/a1/runs/r/resume", "F"],
  [51, [], "POST /agents/a1/sessions/s/fork", "F"],
  [52, ["agents:a1:write"], "POST /agents", "F"],
  [53, ["agents:write"], "POST /agents", "A"],
  [54, ["agents:a1:write"], "PATCH /agents/a1", "A"],
  [55, ["agents:delete"], "DELETE /agents/a1", "A"],
  [56, ["sessions:read"], "GET /sessions", "A"],
  [56, ["sessions:read"], "GET /sessions/s", "A"],
  [56, ["sessions:read"], "GET /sessions/s/runs", "A"],
  [57, ["sessions:s1:read"], "GET /sessions/s1", "F"],
  [58, ["sessions:*:read"], "GET /sessions/s1", "A"],
  [59, ["sessions:read"], "DELETE /sessions/s1", "F"],
  [60, ["sessions:delete"], "DELETE /sessions/s1", "A"],
  [61, ["sessions:write"], "GET /sessions", "F"],
  [62, ["sessions:write"], "POST /sessions/s1/rename", "A"],
  [63, ["memories:read"], "GET /memory_topics", "A"],
  [63, ["memories:read"], "GET /user_memory_stats", "A"],
  [64, ["memories:read"], "POST /memories", "F"],
  [65, ["memories:write"], "POST /optimize-memories", "A"],
  [66, ["knowledge:read"], "POST /knowledge/search", "A"],
  [67, ["knowledge:read"], "POST /knowledge/content", "F"],
  [68, ["agents:read"], "GET /knowledge/agents/sources", "F"],
  [69, ["metrics:read"], "POST /metrics/refresh", "F"],
  [70, ["traces:read"], "POST /traces/search", "A"],
  [71, ["traces:write"], "POST /traces/search", "F"],
  [72, ["evals:delete"], "DELETE /eval-runs", "A"],
  [73, ["schedules:read"], "POST /schedules", "F"],
  [74, ["schedules:write"], "POST /schedules/x/trigger", "A"],
  [75, ["schedules:write"], "DELETE /schedules/x", "F"],
  [76, ["schedules:x:read"], "GET /schedules/x", "F"],
  [77, ["approvals:read"], "GET /approvals/count", "A"],
  [78, ["approvals:read"], "POST /approvals/x/resolve", "F"],
  [79, ["approvals:write"], "GET /approvals", "F"],
  [80, ["service_accounts:write"], "GET /service-accounts", "F"],
  [81, ["service-accounts:read"], "GET /service-accounts", "F"],
  [82, ["service_accounts:delete"], "DELETE /service-accounts/x", "A"],
  [83, ["components:read"], "GET /components/x/configs/current", "A"],
  [84, ["components:write"], "DELETE /components/x/configs/1", "F"],
  [85, ["components:x:read"], "GET /components/x", "F"],
  [86, ["learnings:read"], "GET /learnings", "A"],
  [87, ["config:write"], "GET /queue/jobs", "F"],
  [88, ["platform:admin"], "GET /queue/jobs", "A"],
  [89, ["agents:a1:run"], "POST /a2a/agents/a1/v1/message:send", "A"],
  [90, ["agents:a1:run"], "POST /a2a/agents/a2/v1/message:send", "F"],
  [91, ["agents:run"], "POST /a2a/teams/t1/v1/message:send", "F"],
  [92, ["agents:run"], "GET /a2a/agents/a1/.well-known/agent-card.json", "F"],
  [93, ["agents:a1:read"], "GET /a2a/agents/a1/.well-known/agent-card.json", "A"],
  [94, ["agents:read"], "POST /a2a/agents/a1/v1/tasks:get", "A"],
  [95, ["agents:read"], "POST /a2a/agents/a1/v1/tasks:cancel", "F"],
  [96, ["agents:a1:run"], "POST /a2a/message/send", "F"],
  [98, ["agents:run", "teams:run"], "POST /a2a/message/send", "A"],
  [99, ["agents:a1:run"], "POST /elsewhere/agents/a1/v1/message:send", "A"],
  [100, ["x:write"], "POST /x/1", "F"],
  [101, ["x:*:write", "y:read"], "POST /x/1", "A"],
  [102, null, "GET /pub", "U"],
  [102, [], "GET /pub", "A"],
];

/** Row 103: a path that names an agent, mapped to a scope of another family. */
export const foreignRows: readonly Row[] = [
  [103, ["my:run"], "POST /agents/a1/runs", "F"],
  [103, ["agents:a1:run"], "POST /agents/a1/runs", "A"],
];

/** Rows of the catalogue that the table asks about. @source interface, "Access scopes" */
const catalogue: readonly (readonly [Method, `/${string}`, ...string[]])[] = [
  ["GET", "/models", "config:read"],
  ["POST", "/databases/{db_id}/migrate", "config:write"],
  ["GET", "/registry", "registry:read"],
  ["GET", "/teams", "teams:read"],
  ["GET", "/workflows", "workflows:read"],
  ["POST", "/agents", "agents:write"],
  ["PATCH", "/agents/{agent_id}", "agents:write"],
  ["DELETE", "/agents/{agent_id}", "agents:delete"],
  ["POST", "/agents/{agent_id}/runs/{run_id}/cancel", "agents:run"],
  ["POST", "/agents/{agent_id}/runs/{run_id}/continue", "agents:run"],
  ["POST", "/agents/{agent_id}/runs/{run_id}/resume", "agents:run"],
  ["POST", "/agents/{agent_id}/sessions/{session_id}/fork", "agents:run"],
  ["GET", "/sessions", "sessions:read"],
  ["GET", "/sessions/{session_id}", "sessions:read"],
  ["GET", "/sessions/{session_id}/runs", "sessions:read"],
  ["DELETE", "/sessions/{session_id}", "sessions:delete"],
  ["POST", "/sessions/{session_id}/rename", "sessions:write"],
  ["GET", "/memory_topics", "memories:read"],
  ["GET", "/user_memory_stats", "memories:read"],
  ["POST", "/memories", "memories:write"],
  ["POST", "/optimize-memories", "memories:write"],
  ["POST", "/knowledge/search", "knowledge:read"],
  ["POST", "/knowledge/content", "knowledge:write"],
  ["GET", "/knowledge/{knowledge_id}/sources", "knowledge:read"],
  ["POST", "/metrics/refresh", "metrics:write"],
  ["POST", "/traces/search", "traces:read"],
  ["DELETE", "/eval-runs", "evals:delete"],
  ["POST", "/schedules", "schedules:write"],
  ["GET", "/schedules/{schedule_id}", "schedules:read"],
  ["DELETE", "/schedules/{schedule_id}", "schedules:delete"],
  ["POST", "/schedules/{schedule_id}/trigger", "schedules:write"],
  ["GET", "/approvals", "approvals:read"],
  ["GET", "/approvals/count", "approvals:read"],
  ["POST", "/approvals/{approval_id}/resolve", "approvals:write"],
  ["GET", "/service-accounts", "service_accounts:read"],
  ["DELETE", "/service-accounts/{account_id}", "service_accounts:delete"],
  ["GET", "/components/{component_id}", "components:read"],
  ["GET", "/components/{component_id}/configs/current", "components:read"],
  ["DELETE", "/components/{component_id}/configs/{version}", "components:delete"],
  ["GET", "/learnings", "learnings:read"],
  ["POST", "/a2a/agents/{agent_id}/v1/message:send", "agents:run"],
  ["POST", "/a2a/teams/{team_id}/v1/message:send", "teams:run"],
  ["GET", "/a2a/agents/{agent_id}/.well-known/agent-card.json", "agents:read"],
  ["POST", "/a2a/agents/{agent_id}/v1/tasks:get", "agents:read"],
  ["POST", "/a2a/agents/{agent_id}/v1/tasks:cancel", "agents:run"],
  ["POST", "/a2a/message/send", "agents:run"],
  ["POST", "/elsewhere/agents/{agent_id}/v1/message:send", "agents:run"],
  ["POST", "/x/{i}", "x:write", "y:read"],
  ["GET", "/pub"],
];

const routesOf = (rows: typeof catalogue): RouteTable =>
  Object.fromEntries(
    rows.map(([method, path, ...scopes]) => [
      `${method} ${path}`,
      { method, path, scopes, response: null, summary: "of the catalogue" },
    ]),
  );

const shapeOf = (method: string, path: string) => `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`;
const served = new Set(
  Object.values<RouteTable>(families)
    .flatMap((table) => Object.values(table))
    .map(({ method, path }) => shapeOf(method, path)),
);

/** Rows of the catalogue that are not served yet. */
export const catalogueRoutes = routesOf(
  catalogue.filter(([method, path]) => !served.has(shapeOf(method, path))),
);

/** The served routes, and beside them those of the catalogue that are not served yet. */
export const matchCatalogue = createMatcher({
  ...families,
  catalogue: catalogueRoutes,
});

export const matchForeign = createMatcher({
  foreign: routesOf([["POST", "/agents/{agent_id}/runs", "my:run"]]),
});
