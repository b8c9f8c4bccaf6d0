import { mapEventMedia, mapRunMedia, namedMedium } from "../../shared/domain/runs/output-media.ts";
import type { RunsDeps } from "../../shared/runs/index.ts";
import type { Media } from "../../shared/schemas/runs/media.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import { changeMedia, signMedium } from "../../shared/stores/objects/show-media.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

type Needs = Pick<RunsDeps, "db" | "log">;

const shown =
  ({ db }: Pick<Needs, "db">) =>
  async (medium: Media): Promise<Media> =>
    namedMedium(await signMedium(db, medium));

/** An event whose files have addresses instead of their places in the store; only their names where that fails. */
export async function eventWithAddresses(event: RecordedEvent, deps: Needs): Promise<RecordedEvent> {
  try {
    return await changeMedia(event, mapEventMedia, shown(deps));
  } catch (error) {
    deps.log.error("files of an event could not be given addresses", { run_id: event.run_id, error });
    return mapEventMedia(event, namedMedium);
  }
}

/** Runs whose files have addresses, those of their input too. */
export const runsWithAddresses = (
  runs: readonly StoredRun[],
  deps: Pick<Needs, "db">,
): Promise<StoredRun[]> =>
  Promise.all(
    runs.map(async (run) => ({ ...run, output: await changeMedia(run.output, mapRunMedia, shown(deps)) })),
  );
