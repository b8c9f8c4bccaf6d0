import { describe, expect, test } from "vitest";
import { a2aRoutes } from "../../../shared/routes/protocols/a2a.ts";
import {
  type A2aWorld,
  assistant,
  envelopeOf,
  messageOf,
  rpc,
  team,
  workflow,
} from "../../support/a2a-world.ts";
import { clientOf } from "../../support/client.ts";

const pathOf = (path: string, id = "assistant") =>
  path.replace(/\{(agent|team|workflow)_id\}/, id).replace(/\{[^}]*\}/g, "x");

export function accessChecks(world: () => A2aWorld): void {
  describe("who may come in", () => {
    // The credential matrix tries every row with every credential; here it learns how to ask.
    test("has a request for every row, on every row of a kind", async () => {
      const anonymous = clientOf(world().url);
      for (const { method, path } of Object.values(a2aRoutes).filter(({ path }) =>
        path.includes("{team_id}"),
      )) {
        const answer = await anonymous.call(method, pathOf(path));
        expect({ path, status: answer.status, www: answer.headers.get("www-authenticate") }).toEqual({
          path,
          status: 401,
          www: "Bearer",
        });
        expect(answer.json).toMatchObject({ error_code: "UNAUTHENTICATED" });
      }
    });

    test.each([
      ["agents:another:run", assistant],
      ["agents:run", team],
      ["agents:read", assistant],
    ])("with %s alone may send nothing to %s", async (scope, root) => {
      const { status } = await world()
        .as("ann", scope)
        .post(`${root}/v1/message:send`, { json: envelopeOf("hi") });
      expect(status).toBe(403);
    });

    test("with the run scope alone may not see a card", async () => {
      const path = `${assistant}/.well-known/agent-card.json`;
      expect((await world().as("ann", "agents:run").get(path)).status).toBe(403);
      expect((await world().as("ann", "agents:assistant:read").get(path)).status).toBe(200);
    });

    test.each(["agents:assistant:run", "agents:run", "agents:*:run"])("with %s may send", async (scope) => {
      const { status } = await world()
        .as("ann", scope)
        .post(`${assistant}/v1/message:send`, {
          json: envelopeOf("hi"),
        });
      expect(status).toBe(200);
    });

    test("is asked by method on the endpoint of JSON-RPC", async () => {
      const [reader, runner] = [world().as("ann", "agents:read"), world().as("ann", "agents:run")];
      const message = messageOf("hi");
      expect((await rpc(runner, assistant, "SendMessage", { message })).status).toBe(200);
      expect((await rpc(reader, assistant, "SendMessage", { message })).status).toBe(403);
      expect((await rpc(reader, assistant, "GetTask", { id: "x" })).json.error.code).toBe(-32001);
      expect((await rpc(runner, assistant, "GetTask", { id: "x" })).status).toBe(403);
    });
  });

  describe("a path", () => {
    const unknownRows = Object.values(a2aRoutes).filter(({ path }) => path.includes("{agent_id}"));

    test("of a component that is unknown is 404, in every dialect", async () => {
      for (const { method, path } of unknownRows) {
        const sent = method === "POST" ? { json: envelopeOf("hi") } : {};
        for (const headers of [{}, { "a2a-version": "1.0" }]) {
          const answer = await world().maria.call(method, pathOf(path, "unknown"), { ...sent, headers });
          expect({ path, status: answer.status, error_code: answer.json?.error_code }).toEqual({
            path,
            status: 404,
            error_code: "NOT_FOUND",
          });
        }
      }
    });

    test.each(["tasks:get", "tasks:cancel"])("of a workflow does not end with %s", async (verb) => {
      expect((await world().maria.post(`${workflow}/v1/${verb}`, { json: {} })).status).toBe(404);
    });

    test("may end with a slash, and its colon may be encoded", async () => {
      const { maria } = world();
      for (const path of ["/v1/message:send/", "/v1/message%3Asend"]) {
        expect((await maria.post(assistant + path, { json: envelopeOf("hi") })).status).toBe(200);
      }
      expect((await rpc(maria, `${assistant}/`, "SendMessage", { message: messageOf("hi") })).status).toBe(
        200,
      );
      const { id } = (await rpc(maria, `${assistant}/v1`, "SendMessage", { message: messageOf("hi") })).json
        .result.task;
      const headers = { "a2a-version": "1.0" };
      const cancelled = await maria.post(`${assistant}/v1/tasks/${id}%3Acancel`, { headers });
      expect(cancelled.json.error.details[0].reason).toBe("TASK_NOT_CANCELABLE");
    });

    test.each([
      ["GET", "/v1/message:send"],
      ["DELETE", "/v1/tasks/x"],
      ["GET", "/v1/tasks/x:cancel"],
    ])("refuses %s %s by 405", async (method, path) => {
      expect((await world().maria.call(method, assistant + path)).status).toBe(405);
    });
  });
}
