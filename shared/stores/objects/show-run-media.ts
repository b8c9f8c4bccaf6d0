import { mapMessageMedia, mapRunMedia } from "../../domain/runs/map-media.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import { cachedLoad } from "./cached-load.ts";
import { changeMedia } from "./change-media.ts";
import { type LoadObject, showMedia } from "./show-media.ts";

/**
 * A run as the wire shows it: with the contents of the media in its input, its output and its messages.
 *
 * @throws ServiceError when a medium is missing or damaged
 */
export function showRunMedia(db: Db, output: StoredOutput): Promise<StoredOutput> {
  const load = cachedLoad(db);
  return changeMedia(output, mapRunMedia, (medium) => showMedia(load, medium));
}

/** A message as it is shown on the wire and to a model. */
export const showMessage = (load: LoadObject, message: Message): Promise<Message> =>
  changeMedia(message, mapMessageMedia, (medium) => showMedia(load, medium));
