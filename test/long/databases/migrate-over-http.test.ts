import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { idempotencyKeyOf } from "../../../shared/stores/jobs/job-keys.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { putItems } from "../../support/put-items.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

const LATEST = 4;

let platform: TestPlatform;
let operator: Client;
let stores: StoreView;
beforeAll(async () => {
  platform = await startPlatform();
  operator = clientOf(platform.url, platform.token("olga", ["config:read", "config:write"]));
  stores = viewStores(platform);
});
afterEach(() => platform.faults.clear());
afterAll(async () => {
  stores?.close();
  await platform?.stop();
});

/** Sums that lists remember and counters of a minute: what is lost with them comes back by itself. */
const derived = new Set(["tally", "window"]);
/** Kinds of records that do not say which shape they have. */
const shapeless = async () => {
  const records = Object.values(await stores.read()).flat();
  const silent = records.filter(({ sk, shape }) => !derived.has(String(sk)) && typeof shape !== "number");
  return silent.map(({ pk, sk }) => `${pk} ${sk}`);
};

/** The one function that reads tables is refused to. */
const refuseScans = () =>
  platform.faults.set(({ caller, operation }) =>
    /^Housekeeper/.test(caller.label) && operation === "Scan"
      ? { status: 400, type: "ValidationException", message: "of /srv/secret" }
      : undefined,
  );

test("a new database is of the newest version", async () => {
  const { json } = await operator.get("/databases/main");
  expect(json).toMatchObject({ version: `${LATEST}`, latest_version: `${LATEST}` });
  expect(json.migration).toMatchObject({ status: "completed", records_read: 0, records_changed: 0 });
});

describe("POST /databases/{db_id}/migrate", () => {
  test("migrates to the newest version, and says to which", async () => {
    const { status, json } = await operator.post("/databases/main/migrate");
    expect(status).toBe(200);
    expect(json.message).toBe(`Database main was migrated to version ${json.database.latest_version}`);
    expect(json.database).toMatchObject({ db_id: "main", version: json.database.latest_version });
  });

  test("asked for again does nothing and succeeds", async () => {
    const before = await operator.get("/databases/main");
    const { status } = await operator.post("/databases/main/migrate");
    expect(status).toBe(200);
    expect((await operator.get("/databases/main")).json).toEqual(before.json);
  });

  test("takes the version from the query, from the body, and from the query before the body", async () => {
    const path = "/databases/main/migrate";
    const down = await operator.post(`${path}?target_version=1`);
    expect(down.json.message).toBe("Database main was migrated to version 1");
    const up = await operator.post(path, { json: { target_version: "2" } });
    expect(up.json.message).toBe("Database main was migrated to version 2");
    const both = await operator.post(`${path}?target_version=1`, { json: { target_version: "2" } });
    expect(both.json.database.version).toBe("1");
  });

  test.each([[{}], [{ target_version: null }]])("takes %j for the newest version", async (json) => {
    const { status, json: answer } = await operator.post("/databases/main/migrate", { json });
    expect(status).toBe(200);
    expect(answer.database.version).toBe(answer.database.latest_version);
  });

  test("migrates what there is, while runs go on", async () => {
    const maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
    const keyed = await maria.run("before", { background: "true" }, { "idempotency-key": "before" });
    await maria.settled(keyed.json);
    await operator.post("/databases/main/migrate?target_version=1");
    // As the first releases wrote it.
    const earlier = { ...idempotencyKeyOf("maria", "earlier"), job_id: keyed.json.run_id };
    await putItems(stores.db, "jobs", [earlier]);
    expect(await shapeless()).toHaveLength(1);
    const [migrated, run] = await Promise.all([
      operator.post("/databases/main/migrate"),
      maria.submit("meanwhile"),
    ]);
    expect(migrated.status).toBe(200);
    expect((await maria.settled(run)).status).toBe("COMPLETED");
    expect(await shapeless()).toEqual([]);
    const again = await maria.run("again", { background: "true" }, { "idempotency-key": "earlier" });
    expect(again.json.run_id).toBe(keyed.json.run_id);
  });

  test("an unknown database is 404", async () => {
    const { status, json } = await operator.post("/databases/other/migrate");
    expect(status).toBe(404);
    expect(json).toEqual({ detail: "database other not found", error_code: "NOT_FOUND" });
  });

  test.each(["99", "0", "abc", "2.5.6", "-1", "1e0", ""])("the version %j is 400", async (version) => {
    const sent = await operator.post(`/databases/main/migrate?target_version=${version}`);
    expect(sent.status).toBe(400);
    expect(sent.json).toMatchObject({
      error_code: "BAD_REQUEST",
      detail: expect.stringContaining("1, 2, 3"),
    });
    expect(
      (await operator.post("/databases/main/migrate", { json: { target_version: version } })).status,
    ).toBe(400);
  });

  test("a version that is no text, and a body that is no object, are 422", async () => {
    const number = await operator.post("/databases/main/migrate", { json: { target_version: 2 } });
    expect(number.status).toBe(422);
    expect(number.json.detail[0]).toMatchObject({ type: "string_type", loc: ["body", "target_version"] });
    expect((await operator.post("/databases/main/migrate", { json: "2" })).status).toBe(422);
  });

  test("a migration that fails is 500 with a reason, and shows it until it is asked for again", async () => {
    await operator.post("/databases/main/migrate?target_version=1");
    refuseScans();
    await stopTrying();
    const { status, json } = await operator.post("/databases/main/migrate");
    expect(status).toBe(500);
    expect(json.error_code).toBe("INTERNAL_SERVER_ERROR");
    expect(json.detail).toMatch(/^database main could not be migrated: The store refused/);
    const shown = await operator.get("/databases/main");
    expect(shown.json).toMatchObject({
      version: "1",
      migration: { status: "failed", target_version: `${LATEST}` },
    });
    expect(JSON.stringify(shown.json)).not.toContain("secret");
    platform.faults.clear();
    expect((await operator.post("/databases/main/migrate")).status).toBe(200);
  });

  test("needs config:write", async () => {
    const reader = clientOf(platform.url, platform.token("rita", ["config:read"]));
    expect((await reader.post("/databases/main/migrate")).status).toBe(403);
    expect((await reader.post("/databases/all/migrate")).status).toBe(403);
    expect((await clientOf(platform.url).post("/databases/all/migrate")).status).toBe(401);
    expect((await reader.get("/databases/main")).status).toBe(200);
  });
});

const begun = { version: 2, direction: "up", step: 0, segments: ["begin"] };

/** As if it had tried again and again: the next claim is the tenth, and its outage the last. */
async function stopTrying(): Promise<void> {
  await stores.db.client.send(
    new UpdateCommand({
      TableName: stores.db.tables.databases,
      Key: { pk: "database#main", sk: "database" },
      UpdateExpression:
        "SET outages = :many, #status = :migrating, target_version = :latest, #position = :begun",
      ExpressionAttributeNames: { "#status": "status", "#position": "position" },
      ExpressionAttributeValues: {
        ":many": 9,
        ":migrating": "migrating",
        ":latest": LATEST,
        ":begun": begun,
      },
    }),
  );
}

describe("POST /databases/all/migrate", () => {
  test("migrates every database", async () => {
    const { status, json } = await operator.post("/databases/all/migrate?target_version=1");
    expect(status).toBe(200);
    expect(json.message).toBe("1/1 databases were migrated to version 1");
    expect(json).not.toHaveProperty("failed");
  });

  test("answers 207 with the reason of each that failed", async () => {
    refuseScans();
    await stopTrying();
    const { status, json } = await operator.post("/databases/all/migrate");
    expect(status).toBe(207);
    expect(json.message).toBe("0/1 databases were migrated to their latest version");
    expect(json.failed).toEqual({ main: expect.stringMatching(/^The store refused/) });
    platform.faults.clear();
    expect((await operator.post("/databases/all/migrate")).status).toBe(200);
  });

  test("a version that no database has is 400", async () => {
    expect((await operator.post("/databases/all/migrate?target_version=2.5.6")).status).toBe(400);
  });
});

describe("GET /databases/{db_id}", () => {
  test("shows what it is at, what it can be, and how the last migration went", async () => {
    await operator.post("/databases/main/migrate");
    const { status, json } = await operator.get("/databases/main");
    expect(status).toBe(200);
    expect(json).toEqual({
      db_id: "main",
      version: `${LATEST}`,
      latest_version: `${LATEST}`,
      versions: ["1", "2", "3", "4"],
      migration: {
        status: "completed",
        target_version: `${LATEST}`,
        records_read: expect.any(Number),
        records_changed: expect.any(Number),
        started_at: expect.any(Number),
        updated_at: expect.any(Number),
      },
    });
  });

  test("of an unknown one is 404, and all is the name of none", async () => {
    expect((await operator.get("/databases/other")).status).toBe(404);
    expect((await operator.get("/databases/all")).status).toBe(404);
  });
});
