import { asSeen, type Guard } from "../../data/guard.ts";
import type { Db } from "../db.ts";
import { changeMessage } from "./change-message.ts";
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
): Promise<StoredChatMessage | undefined> => changeMessage(db, key, { asking }, unchanged(seen));

/**
 * Records that all is answered, by the message that gave the last answer. What the run asks after that is sent, also where
 * it has the same name.
 */
export const recordAnswered = (
  db: Db,
  { key, asking: seen }: Pick<StoredChatMessage, "key" | "asking">,
  by: string,
): Promise<StoredChatMessage | undefined> =>
  changeMessage(db, key, { asking: { id: "", answers: [], by }, sending: undefined }, unchanged(seen));

const unchanged = (seen: Asking | undefined): Guard => ({ asking: asSeen(seen) });
