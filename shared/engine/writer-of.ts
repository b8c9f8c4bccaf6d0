import type { Member } from "./team.ts";

/** Which agent or team wrote something down. */
export type Writer = { readonly agent_id: string | null; readonly team_id: string | null };

export const writerOf = ({ kind, id }: Member): Writer => ({
  agent_id: kind === "agent" ? id : null,
  team_id: kind === "team" ? id : null,
});
