import { expect } from "vitest";
import { clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
});

const userOf = (name: string) => clientOf(platform.url, platform.token(name, []));
const save = (user: ReturnType<typeof userOf>, name: string, to = "/runs") =>
  user.post("/me/views", { json: { name, to } });

test("a view takes the place of the one with its name, and is its reader's alone", async () => {
  const [maria, otto] = [userOf("views-maria"), userOf("views-otto")];
  expect((await save(maria, " Failures ", "/runs?status=ERROR")).json.data).toHaveLength(1);
  await save(maria, "Slow", "/runs?took=30");
  expect((await save(maria, "Failures", "/runs?status=CANCELLED")).json.data).toEqual([
    { name: "Slow", to: "/runs?took=30" },
    { name: "Failures", to: "/runs?status=CANCELLED" },
  ]);
  expect((await otto.get("/me/views")).json).toEqual({ data: [] });
  expect((await otto.call("DELETE", "/me/views/Failures")).status).toBe(204);
  expect((await maria.call("DELETE", "/me/views/Slow")).status).toBe(204);
  expect((await maria.get("/me/views")).json.data.map(({ name }: { name: string }) => name)).toEqual([
    "Failures",
  ]);
});

test("addresses that lead elsewhere are refused, and so is the 51st view", async () => {
  const user = userOf("views-many");
  for (const to of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "runs",
    "",
    `/${"a".repeat(2_000)}`,
  ])
    expect((await save(user, "elsewhere", to)).status, to).toBe(422);
  expect((await save(user, "  ")).status).toBe(422);
  expect((await save(user, "a".repeat(61))).status).toBe(422);
  await Promise.all(Array.from({ length: 5 }, (_, i) => save(user, `at once ${i}`)));
  for (let i = 5; i < 50; i += 1) await save(user, `view ${i}`);
  expect((await save(user, "one too many")).status).toBe(409);
  expect((await save(user, "view 7", "/sessions")).status).toBe(200);
  expect((await user.get("/me/views")).json.data).toHaveLength(50);
});
