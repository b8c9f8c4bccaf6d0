import { describe, expect, test } from "vitest";
import { nearestRoute } from "../../shared/auth/nearest-route.ts";
import { unknownSettings } from "../../shared/engine/define/setting-names.ts";
import { hintOf, nearestName } from "../../shared/schemas/values/nearest-name.ts";
import { unknownSettings as unknownOfConfig } from "../../shared/settings/names.ts";

describe("a name that nothing has", () => {
  test.each([
    ["instruction", "instructions"],
    ["outputSchema", "output_schema"],
    ["numHistoryRuns", "num_history_runs"],
    ["tool_choise", "tool_choice"],
  ])("is followed by the one that it is near to: %s", (name, nearest) => {
    expect(unknownSettings("agent", { [name]: 1 })).toEqual([{ name, nearest }]);
  });

  test.each(["humidity", "prompt", "color", "x"])("misleads to no other one: %s", (name) => {
    expect(unknownSettings("agent", { [name]: 1 })).toEqual([{ name, nearest: undefined }]);
    expect(hintOf(nearestName(name, ["max_steps", "role"]))).toBe("");
  });

  test("of a config is refused without a guess", () => {
    expect(unknownOfConfig(["databaseUrl"])).toEqual(["databaseUrl is no setting"]);
  });

  test("of a route has a nearest route only where one is near", () => {
    const routes = ["GET /agents", "POST /agents/*/runs"];
    expect(nearestRoute("GET /agent", routes)).toBe("GET /agents");
    expect(nearestRoute("PATCH /invoices/export/monthly", routes)).toBeUndefined();
  });
});
