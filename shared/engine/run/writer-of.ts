import type { Member } from "../define/team.ts";
import type { Writer } from "../ports/writer.ts";

export const writerOf = ({ kind, id }: Member): Writer => ({
  agent_id: kind === "agent" ? id : null,
  team_id: kind === "team" ? id : null,
});
