/**
 * Whether an id is of a kind that belongs to chats: their sessions, which only messages of their chat open and use, and
 * their users, whom no token names.
 */
export const isChatId = (id: string): boolean => /^(tg|wa|sl):/i.test(id);
