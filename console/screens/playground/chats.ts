import { credential, onCredential } from "../../access/credential.ts";
import { Chat } from "./chat.ts";
import { isBusy } from "./turn.ts";

/** Chats that are kept while their reader looks at something else. */
const MOST_KEPT = 12;
const chats = new Map<string, Chat>();

type Of = Pick<Chat, "kind" | "component" | "session" | "name">;

const keyOf = ({ kind, component, session }: Omit<Of, "name">): string =>
  JSON.stringify([kind, component, session]);

/** The chat of a session: the one that is open, or a new one. */
export function chatOf(of: Of): Chat {
  const key = keyOf(of);
  const chat = chats.get(key) ?? new Chat(of);
  // The one used last is kept longest.
  chats.delete(key);
  chats.set(key, chat);
  const idle = [...chats].filter(([, one]) => one !== chat && !one.turns.some(isBusy));
  for (const [old, one] of idle.slice(0, Math.max(0, chats.size - MOST_KEPT))) {
    one.leave();
    chats.delete(old);
  }
  return chat;
}

/** Whether a session was begun on this page, and so may not be in the platform's record yet. */
export const isBegunHere = (of: Omit<Of, "name">): boolean => (chats.get(keyOf(of))?.turns.length ?? 0) > 0;

onCredential(() => {
  if (credential()) return;
  // What one user has asked is not shown to the next.
  for (const chat of chats.values()) chat.leave();
  chats.clear();
});
