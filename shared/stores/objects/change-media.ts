import type { MapMedia } from "../../domain/runs/map-media.ts";
import type { Media } from "../../schemas/runs/media.ts";

/**
 * Changes the media in something by what takes time: all are found first, and put in their places when all are there.
 * One that stands in several places is changed once.
 *
 * @param map  goes to every place where a medium stands
 */
export async function changeMedia<Value>(
  value: Value,
  map: (value: Value, change: MapMedia) => Value,
  change: (medium: Media) => Promise<Media>,
): Promise<Value> {
  const found = new Map<string, Media>();
  map(value, (medium) => {
    found.set(placeOf(medium), medium);
    return medium;
  });
  if (found.size === 0) return value;
  const changes = [...found].map(async ([place, medium]) => [place, await change(medium)] as const);
  const changed = new Map(await Promise.all(changes));
  return map(value, (medium) => changed.get(placeOf(medium)) ?? medium);
}

const placeOf = ({ id, object }: Media): string => `${id} ${object?.key}`;
