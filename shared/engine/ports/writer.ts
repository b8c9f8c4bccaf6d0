/** Which agent or team wrote something down. */
export type Writer = { readonly agent_id: string | null; readonly team_id: string | null };
