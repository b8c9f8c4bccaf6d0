import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { internalEvent } from "../../../shared/http/internal-event.ts";
import { clientOf } from "../../support/client.ts";
import { readCompleteLines } from "../../support/complete-lines.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

const dataDir = mkdtempSync(join(tmpdir(), "platform-"));
const LIMIT = 5;
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({
    dataDir,
    env: { REQUESTS_PER_MINUTE: String(LIMIT), OPEN_ACCESS: "true" },
    context: { scopeMappings: { "GET /config": ["shop:look"], "GET /teams/*": [] } },
  });
});
afterAll(async () => {
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

let users = 0;
const user = (...scopes: string[]) => {
  const sub = `user-${++users}`;
  return { sub, ...clientOf(platform.url, platform.token(sub, scopes)) };
};

type Line = Record<string, unknown>;
/** Audit lines of one principal, once there are as many as expected. */
async function auditOf(principal: string | null, count: number): Promise<Line[]> {
  return expect
    .poll(() => readAudit(principal))
    .toHaveLength(count)
    .then(() => readAudit(principal));
}

function readAudit(principal: string | null): Line[] {
  return readCompleteLines(join(dataDir, "functions.log"))
    .flatMap((line) =>
      line.includes('"message":"audit"') ? [JSON.parse(line.slice(line.indexOf("{")))] : [],
    )
    .filter((line) => line.principal === principal);
}

describe("the audit log", () => {
  test("shows who minted and revoked what, and what was refused", async () => {
    const manager = user("service_accounts:write", "service_accounts:delete");
    const { json } = await manager.post("/service-accounts", { json: { name: "audited", scopes: [] } });
    await manager.call("DELETE", `/service-accounts/${json.id}`);
    await manager.call("DELETE", "/service-accounts/unknown");
    const lines = await auditOf(manager.sub, 3);
    expect(lines).toMatchObject([
      { operation: "mintServiceAccount", route: "/service-accounts", target: { id: json.id }, status: 201 },
      { operation: "revokeServiceAccount", target: { account_id: json.id }, decision: "allow", status: 204 },
      { target: { account_id: "unknown" }, decision: "allow", status: 404 },
    ]);
    for (const line of lines)
      expect(line).toMatchObject({ principal_kind: "user", request_id: expect.anything() });
  });

  test("shows what access refused, on every route", async () => {
    const unprivileged = user("zebra:read");
    await unprivileged.post("/queue/jobs/j1/requeue");
    await unprivileged.get("/agents/assistant");
    expect(await auditOf(unprivileged.sub, 2)).toMatchObject([
      { operation: "requeueJob", target: { job_id: "j1" }, decision: "forbidden", status: 403 },
      { operation: "getAgent", target: { agent_id: "assistant" }, decision: "forbidden", status: 403 },
    ]);
  });

  test("keeps still about what is allowed everywhere else, and is written once for a forwarded request", async () => {
    const reader = user("agents:read", "service_accounts:write");
    await reader.get("/agents");
    await reader.post("/service-accounts/", { json: { name: "forwarded", scopes: [] } });
    expect(await auditOf(reader.sub, 1)).toMatchObject([{ operation: "mintServiceAccount", status: 201 }]);
  });
});

describe("a limit for each principal", () => {
  test("refuses what is more with the time to wait, at both entry points, and no other caller", async () => {
    const busy = user("agents:run", "agents:read");
    const asked: number[] = [];
    for (let i = 0; i < LIMIT - 1; i += 1) asked.push((await busy.get("/agents")).status);
    asked.push((await busy.run("hello")).status);
    expect(asked.every((status) => status === 200)).toBe(true);
    for (const answer of [await busy.get("/agents"), await busy.run("hello")]) {
      expect(answer).toMatchObject({ status: 429, json: { error_code: "TOO_MANY_REQUESTS" } });
      const seconds = Number(answer.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
    }
    expect((await user("agents:read").get("/agents")).status).toBe(200);
  });

  test("lets requests pass while they cannot be counted", async () => {
    const busy = user("agents:read");
    platform.faults.set(({ service, operation, caller }) =>
      caller.label.startsWith("Authorizer") && service === "dynamodb" && operation === "UpdateItem"
        ? { status: 500, type: "InternalServerError" }
        : undefined,
    );
    try {
      expect((await busy.get("/agents")).status).toBe(200);
    } finally {
      platform.faults.clear();
    }
  });
});

describe("configured scope mappings", () => {
  test("take the place of a row's own scopes", async () => {
    expect((await user("shop:look").get("/config")).status).toBe(200);
    expect(await user("config:read").get("/config")).toMatchObject({
      status: 403,
      json: { detail: "Insufficient permissions. Required scope(s): shop:look" },
    });
  });

  test("of a team's route to nothing leave it to those who may read the team", async () => {
    expect((await user().get("/teams/support-team")).status).toBe(403);
    expect((await user("teams:support-team:read").get("/teams/support-team")).status).toBe(200);
  });
});

describe("open access on one's own machine", () => {
  test("makes an admin of who brings no credential, and judges every credential that is brought", async () => {
    for (const url of [platform.url, platform.apiUrl]) {
      const guest = clientOf(url);
      expect((await guest.get("/queue/stats")).status).toBe(200);
      expect((await guest.run("hello")).json).toMatchObject({ user_id: "guest" });
      expect((await clientOf(url, "nonsense").get("/queue/stats")).status).toBe(401);
      expect((await clientOf(url, platform.token("maria", [])).get("/queue/stats")).status).toBe(403);
    }
  });

  test("is no switch of the platform itself: no function is notified of it", () => {
    const variables = platform.model.functions.flatMap(({ environment }) => Object.keys(environment));
    expect(variables.filter((name) => /open|disable|skip|anonym|no_?auth|auth_?off/i.test(name))).toEqual([]);
  });
});

describe("the platform's own identity", () => {
  /** Calls a family as the schedule executor does: by the Lambda API, with an event and no credential. */
  async function callAs(owner: string | null, request: string, form?: Record<string, string>) {
    const [method = "", rawPath = ""] = request.split(" ");
    const made = internalEvent(
      {
        method,
        rawPath,
        owner,
        requestId: "tick-1",
        at: Date.now(),
        ...(form && {
          body: new URLSearchParams(form).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      },
      "platform:admin",
    );
    if (!made) throw new Error(`${request} leads nowhere`);
    const bundle = new RegExp(`/${made.family}/index\\.mjs$`);
    const fn = platform.model.functions.find(
      ({ file, exportName }) => bundle.test(file) && exportName === "handler",
    );
    if (!fn) throw new Error(`no function of ${made.family}`);
    const outcome = await platform.lambda.invoke(fn, { event: () => JSON.stringify(made.event) });
    if (!outcome?.ok) throw new Error("the function failed");
    const { statusCode, body } = JSON.parse(outcome.payload);
    return { status: statusCode, json: JSON.parse(body ?? "null") };
  }

  test("reaches what a schedule needs, and no more", async () => {
    expect((await callAs("maria", "GET /agents")).status).toBe(200);
    expect((await callAs("maria", "GET /config")).status).toBe(403);
    expect((await callAs("maria", "GET /queue/jobs")).status).toBe(403);
    expect((await callAs("maria", "POST /service-accounts")).status).toBe(403);
  });

  test("runs an agent for the owner, who finds the run among the own ones", async () => {
    const owner = user("agents:read", "agents:run");
    const ran = await callAs(owner.sub, "POST /agents/assistant/runs", { message: "tick", stream: "false" });
    expect(ran).toMatchObject({ status: 200, json: { user_id: owner.sub } });
    expect((await owner.poll(ran.json)).status).toBe(200);
    expect((await user("agents:read", "agents:run").poll(ran.json)).status).toBe(404);
  });

  test.each(["", "  ", "__scheduler__"])("acts for no user called %j", async (owner) => {
    await expect(callAs(owner, "GET /agents")).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("cannot be claimed from outside: neither by a token, nor by a header, nor by what the gateway adds", async () => {
    const claimed = clientOf(platform.url, platform.token("__scheduler__", ["agents:read"]));
    expect((await claimed.get("/agents")).status).toBe(401);
    const maria = user("agents:run");
    const decision = JSON.stringify({
      outcome: "allow",
      operation: "createAgentRun",
      principal: { kind: "internal" },
    });
    const headers = {
      "x-schedule-owner": "otto",
      "x-decision": decision,
      "x-amzn-request-context": decision,
    };
    for (const url of [platform.url, platform.apiUrl]) {
      const sent = { form: { message: "hello", stream: "false", user_id: "otto" }, headers };
      const ran = await clientOf(url, platform.token(maria.sub, ["agents:run"])).post(
        "/agents/assistant/runs",
        sent,
      );
      expect(ran.json).toMatchObject({ user_id: maria.sub });
    }
  });
});

describe("open access, for pages in a browser,", () => {
  const form = { message: "hello", stream: "false" };
  const run = (headers: Record<string, string> = {}) =>
    clientOf(platform.url).post("/agents/assistant/runs", { form, headers });

  test("is not for a form in a page of another site", async () => {
    expect(await run({ origin: "https://evil.example", "sec-fetch-site": "cross-site" })).toMatchObject({
      status: 403,
      json: { error_code: "FORBIDDEN", detail: expect.stringContaining("another site") },
    });
  });

  test("is not for the hosted page that may call, which needs a token", async () => {
    expect((await run({ origin: "https://os.agno.com", "sec-fetch-site": "cross-site" })).status).toBe(401);
  });
});
