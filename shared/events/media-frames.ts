import { mapEventMedia, namedMedium } from "../domain/runs/output-media.ts";
import type { Log } from "../runtime/log.ts";
import type { Media } from "../schemas/runs/media.ts";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import type { Db } from "../stores/db.ts";
import { cachedLoad, changeMedia, showMedia, signMedium } from "../stores/objects/show-media.ts";
import { sseFrame } from "./sse.ts";

type Deps = { readonly db: Db; readonly log: Pick<Log, "error"> };

/**
 * Frames of one stream of events, with the contents and addresses of their media. An event without media is framed at once. Where
 * contents cannot be read, the frame names the media instead, because failing the stream would lose more.
 *
 * @param indexed  whether events carry their index
 */
export function mediaFrames(
  { db, log }: Deps,
  indexed = true,
): (event: RecordedEvent) => string | Promise<string> {
  const load = cachedLoad(db);
  const shown = async (medium: Media) => showMedia(load, await signMedium(db, medium));
  const frameOf = (recorded: RecordedEvent): string => {
    const { event_index: _, ...event } = recorded;
    return sseFrame(indexed ? recorded : event);
  };
  return (event) => {
    let carries = false;
    const named = mapEventMedia(event, (medium) => {
      carries = true;
      return namedMedium(medium);
    });
    if (!carries) return frameOf(event);
    return changeMedia(event, mapEventMedia, shown).then(frameOf, (error) => {
      log.error("media of an event could not be shown", { run_id: event.run_id, error });
      return frameOf(named);
    });
  };
}
