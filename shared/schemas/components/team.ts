import * as v from "valibot";
import { AgentResponse } from "./agent.ts";
import { teamModes } from "./team-modes.ts";

/** How a team is shown: its leader like an agent, and its members, which may be teams themselves. */
const ownEntries = {
  ...AgentResponse.entries,
  mode: v.picklist(teamModes),
  default_tools: v.optional(
    v.object({
      ...AgentResponse.entries.default_tools.wrapped.entries,
      get_member_information_tool: v.optional(v.boolean()),
    }),
  ),
  streaming: v.optional(v.object({ stream_member_events: v.optional(v.boolean()) })),
};

export type TeamResponse = v.InferOutput<v.ObjectSchema<typeof ownEntries, undefined>> & {
  members: (TeamResponse | AgentResponse)[];
};
export const TeamResponse: v.GenericSchema<unknown, TeamResponse> = v.object({
  ...ownEntries,
  members: v.array(v.union([v.lazy(() => TeamResponse), AgentResponse])),
});
