import type { Scenario } from "../stage.ts";
import { a2aScenarios } from "./a2a.ts";
import { agentScenarios } from "./agents.ts";
import { endScenarios } from "./ends.ts";
import { knowingScenarios } from "./knowing.ts";
import { pauseScenarios } from "./pauses.ts";
import { recordScenarios } from "./records.ts";
import { teamScenarios } from "./teams.ts";
import { workflowScenarios } from "./workflows.ts";

export const scenarios: Readonly<Record<string, Scenario>> = {
  ...agentScenarios,
  ...pauseScenarios,
  ...endScenarios,
  ...teamScenarios,
  ...workflowScenarios,
  ...knowingScenarios,
  ...recordScenarios,
  ...a2aScenarios,
};
