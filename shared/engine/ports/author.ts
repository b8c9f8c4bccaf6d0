/** Which agent or team wrote something down. */
export type Author = { readonly agent_id: string | null; readonly team_id: string | null };
