import type { MapMedia } from "../../domain/runs/map-media.ts";
import type { Media } from "../../schemas/runs/media.ts";

/**
 * Changes the media in a value asynchronously: finds all of them first, and replaces them when all changes are done.
 * One that occurs in several places is changed once.
 *
 * @param map  visits every place of a medium in the value
 */
export async function changeMedia<Value>(
  value: Value,
  map: (value: Value, change: MapMedia) => Value,
  change: (medium: Media) => Promise<Media>,
): Promise<Value> {
  const found = new Map<string, Media>();
  map(value, (medium) => {
    found.set(keyOf(medium), medium);
    return medium;
  });
  if (found.size === 0) return value;
  const changes = [...found].map(async ([place, medium]) => [place, await change(medium)] as const);
  const changed = new Map(await Promise.all(changes));
  return map(value, (medium) => changed.get(keyOf(medium)) ?? medium);
}

const keyOf = ({ id, object, url }: Media): string => `${id} ${object?.key} ${url}`;
