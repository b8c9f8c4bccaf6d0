import { hintOf, misspelledName, nearestName } from "../schemas/values/nearest-name.ts";
import { settingNames } from "./table.ts";

/** Values that no operator sets have a colon, an `@` or a slash: flags of the CDK, its look-ups, and how an app is built. */
const INTERNAL = /[:@/]/;

const isUnknown = (name: string): boolean =>
  !INTERNAL.test(name) && !settingNames.some((known) => known === name);

/** Names that no setting has, each with the nearest one: a misspelled setting must not stay at its default silently. */
export const unknownSettings = (given: readonly string[]): string[] =>
  given.filter(isUnknown).map((name) => `${name} is no setting${hintOf(nearestName(name, settingNames))}`);

/**
 * Warnings about context values of an app that has others too: those that look like settings and are none.
 *
 * @param names  of all values in the context
 */
export function misspelledSettings(names: readonly string[]): string[] {
  const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();
  return names.filter(isUnknown).flatMap((name) => {
    const meant =
      settingNames.find((one) => plain(one) === plain(name)) ?? misspelledName(name, settingNames);
    return meant === undefined ? [] : [`${name} is no setting and changes nothing; did you mean ${meant}?`];
  });
}
