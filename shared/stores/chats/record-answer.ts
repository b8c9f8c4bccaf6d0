import { asSeen } from "../../data/guard.ts";
import type { Db } from "../db.ts";
import { chatWork } from "./chat-work.ts";
import type { StoredChatMessage } from "./message-item.ts";

type Asking = NonNullable<StoredChatMessage["asking"]>;

/**
 * Records a further answer to what the run of a message asks.
 *
 * @param seen  what was recorded before
 * @returns     undefined where another answer came in between
 */
export const recordAnswer = (
  db: Db,
  { key, asking: seen }: Pick<StoredChatMessage, "key" | "asking">,
  asking: Asking,
): Promise<StoredChatMessage | undefined> => setAnswers(db, key, { asking }, seen);

/**
 * Records that all is answered, by the message that gave the last answer. What the run asks after that is sent, also where
 * it has the same name.
 */
export const recordAnswered = (
  db: Db,
  { key, asking: seen }: Pick<StoredChatMessage, "key" | "asking">,
  by: string,
): Promise<StoredChatMessage | undefined> =>
  setAnswers(db, key, { asking: { id: "", answers: [], by }, sending: undefined }, seen);

async function setAnswers(
  db: Db,
  key: string,
  set: { readonly asking: Asking; readonly sending?: undefined },
  seen: Asking | undefined,
): Promise<StoredChatMessage | undefined> {
  const written = await chatWork.change(db, key, { set }, { asking: asSeen(seen) });
  return written.changed ? written.record : undefined;
}
