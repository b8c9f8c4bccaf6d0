import * as v from "valibot";
import { meaning } from "./described-as.ts";
import { fault } from "./fields.ts";
import { hintOf, nearestName } from "./nearest-name.ts";

/**
 * An object whose members are all known: a misspelled one is refused with the name that it may mean, because without it
 * the request would do something else than it says.
 *
 * @param ignored      members that may be sent and change nothing, such as those that answers show
 * @param description  what it means, for the interface description: one behind the check would be lost there
 */
export function knownMembers<E extends v.ObjectEntries>(
  entries: E,
  ignored: readonly string[] = [],
  description?: string,
) {
  const names = Object.keys(entries);
  type Known = v.InferOutput<v.ObjectSchema<E, undefined>>;
  const open = v.looseObject(entries);
  return v.pipe(
    description === undefined ? open : meaning(open, description),
    v.rawTransform<v.InferOutput<v.LooseObjectSchema<E, undefined>>, Known>(
      ({ dataset, addIssue, NEVER }) => {
        const input = dataset.value as Record<string, unknown>; // an object, as parsed
        const unknown = Object.keys(input).filter((name) => !names.includes(name) && !ignored.includes(name));
        for (const key of unknown) {
          const msg = `${key} is not known here${hintOf(nearestName(key, names))}`;
          const path = { type: "object" as const, origin: "key" as const, input, key, value: input[key] };
          addIssue({ message: fault("extra_forbidden", msg), path: [path] });
        }
        if (unknown.length > 0) return NEVER;
        const known = Object.entries(input).filter(([name]) => names.includes(name));
        return Object.fromEntries(known) as Known; // as parsed, without the ignored
      },
    ),
    v.metadata({
      jsonSchema: (converted: { readonly properties?: object }) => ({
        ...converted,
        properties: {
          ...Object.fromEntries(ignored.map((name) => [name, { description: "Changes nothing" }])),
          ...converted.properties,
        },
        additionalProperties: false,
      }),
    }),
  );
}
