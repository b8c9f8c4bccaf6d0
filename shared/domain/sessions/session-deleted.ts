/** What a record that outlives a deleted session has in the place of an error that quoted what was said in it. */
export const SESSION_DELETED = "The session was deleted, and with it what was said in it.";
