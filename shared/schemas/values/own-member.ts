/**
 * The value of an object under a name that a client, a model or a configuration chose. Without this, `constructor` or
 * `toString` would find what every object inherits.
 *
 * @returns undefined where the object has no such member of its own
 */
export const ownMember = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
