import * as v from "valibot";
import { AgentResponse } from "./agent.ts";
import { teamModes } from "./team-modes.ts";

/**
 * How a team is shown: its leader like an agent, and its members, which may be teams themselves.
 *
 * @source contract, runs-and-queue 2.3
 */
export const TeamResponse = v.object({
  ...AgentResponse.entries,
  mode: v.picklist(teamModes),
  /** Each an AgentResponse, or a TeamResponse again. */
  members: v.array(v.record(v.string(), v.unknown())),
  default_tools: v.optional(v.record(v.string(), v.unknown())),
  streaming: v.optional(v.object({ stream_member_events: v.optional(v.boolean()) })),
});
export type TeamResponse = v.InferOutput<typeof TeamResponse>;
