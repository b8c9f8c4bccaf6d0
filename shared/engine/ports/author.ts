/** The agent or team that wrote a record. */
export type Author = { readonly agent_id: string | null; readonly team_id: string | null };
