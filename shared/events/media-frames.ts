import { mapEventMedia, namedMedium } from "../domain/runs/map-media.ts";
import type { Log } from "../runtime/log.ts";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import type { Db } from "../stores/db.ts";
import { cachedLoad } from "../stores/objects/cached-load.ts";
import { changeMedia } from "../stores/objects/change-media.ts";
import { showMedia } from "../stores/objects/show-media.ts";
import { sseFrame } from "./sse.ts";

type Deps = { readonly db: Db; readonly log: Pick<Log, "error"> };

/**
 * Frames of one stream of events, with the contents of the media that they tell of. An event without any is framed at
 * once; one whose contents cannot be read names them, for a stream that breaks off says less.
 *
 * @param indexed  whether events say their index
 */
export function mediaFrames(
  { db, log }: Deps,
  indexed = true,
): (event: RecordedEvent) => string | Promise<string> {
  const load = cachedLoad(db);
  const frameOf = (told: RecordedEvent): string => {
    const { event_index: _, ...event } = told;
    return sseFrame(indexed ? told : event);
  };
  return (event) => {
    let carries = false;
    const named = mapEventMedia(event, (medium) => {
      carries = true;
      return namedMedium(medium);
    });
    if (!carries) return frameOf(event);
    return changeMedia(event, mapEventMedia, (medium) => showMedia(load, medium)).then(frameOf, (error) => {
      log.error("media of an event could not be shown", { run_id: event.run_id, error });
      return frameOf(named);
    });
  };
}
