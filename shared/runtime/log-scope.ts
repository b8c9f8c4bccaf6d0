import { AsyncLocalStorage } from "node:async_hooks";

type Fields = Readonly<Record<string, unknown>>;

const scope = new AsyncLocalStorage<Fields>();

/** Adds fields to every line that is logged during `work`, however deep. */
export function inLogScope<T>(fields: Fields, work: () => T): T {
  return scope.run({ ...scope.getStore(), ...fields }, work);
}

/**
 * Adds fields to every later line of the present scope: what a request is about may be known only after a while. Lines of
 * scopes around it do not get them.
 */
export function noteInLogScope(fields: Fields): void {
  Object.assign(scope.getStore() ?? {}, fields);
}

export const scopeFields = (): Fields => scope.getStore() ?? {};
