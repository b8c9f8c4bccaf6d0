import type { Member } from "../define/team.ts";
import type { Author } from "../ports/author.ts";

export const authorOf = ({ kind, id }: Member): Author => ({
  agent_id: kind === "agent" ? id : null,
  team_id: kind === "team" ? id : null,
});
