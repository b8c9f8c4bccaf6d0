/** The contents that a user sees: all of a base, or their own and the shared ones. */
export type Visibility = { readonly knowledge_id: string; readonly owner: string | null | undefined };
