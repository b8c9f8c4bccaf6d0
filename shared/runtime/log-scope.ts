import { AsyncLocalStorage } from "node:async_hooks";

type Fields = Readonly<Record<string, unknown>>;

const scope = new AsyncLocalStorage<Fields>();

/** Adds fields to every line that is logged during `work`, however deep. */
export function inLogScope<T>(fields: Fields, work: () => T): T {
  return scope.run({ ...scope.getStore(), ...fields }, work);
}

export const scopeFields = (): Fields => scope.getStore() ?? {};
