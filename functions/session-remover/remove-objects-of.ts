/**
 * Removes what a session keeps outside the tables: files, and values too large for an item. May be called again for
 * the same session.
 */
export type RemoveObjectsOf = (owner: string | null, sessionId: string) => Promise<void>;

/** No part of this platform keeps anything outside the tables yet; an object store is connected here. */
export const removeObjectsOf: RemoveObjectsOf = async () => undefined;
