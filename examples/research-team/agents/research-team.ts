import { defineTeam } from "@agentplatform/core";
import { researcher } from "./researcher.ts";
import { writer } from "./writer.ts";

export const researchTeam = defineTeam({
  id: "research-team",
  name: "Research team",
  instructions: "Have the researcher collect facts first, then the writer write the answer.",
  mode: "coordinate",
  members: [researcher, writer],
});
