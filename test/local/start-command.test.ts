import { expect, test } from "vitest";
import { startCommand } from "../../local/machine/start-command.ts";

test("a project starts with its own command, a clone its script", () => {
  expect(startCommand("/home/ada/desk/node_modules/@agentplatform/core/local/machine/start-command.js")).toBe(
    "npx agent-platform dev",
  );
  expect(startCommand()).toBe("npm start");
});
