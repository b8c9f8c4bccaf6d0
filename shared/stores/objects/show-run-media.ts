import type { Message, RunOutput } from "../../schemas/run.ts";
import type { Db } from "../db.ts";
import { mapMessageMedia, mapRunMedia } from "./map-media.ts";
import { rememberingLoad } from "./remembering-load.ts";
import { type LoadObject, showMedia } from "./show-media.ts";

/**
 * A run as the wire shows it: what it was given is in it, in its input and on its messages.
 *
 * @throws ServiceError when a medium is missing or damaged
 */
export function showRunMedia(db: Db, output: RunOutput): Promise<RunOutput> {
  const load = rememberingLoad(db);
  return mapRunMedia(output, (medium) => showMedia(load, medium));
}

/** A message as the wire, and a model, are shown it. */
export const showMessage = (load: LoadObject, message: Message): Promise<Message> =>
  mapMessageMedia(message, (medium) => showMedia(load, medium));
