import { expect, test } from "vitest";
import { findInRegistry } from "../../shared/engine/component/find-runnable.ts";
import { registry } from "../support/registry/index.ts";

test("an id that is not declared finds nothing, nor one under another kind", async () => {
  const find = findInRegistry(registry);
  expect(await find("agent", "assistant")).toMatchObject({ kind: "agent", id: "assistant" });
  expect(await find("agent", "unknown")).toBeUndefined();
  expect(await find("team", "assistant")).toBeUndefined();
});
