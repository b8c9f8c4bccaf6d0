/** Owner and session are in the key: a caller's own id is part of every access, never a filter afterwards. */
const partOf = (text: string): string => encodeURIComponent(text);

export const sessionRunsKey = (owner: string | null, sessionId: string): string =>
  `session#${partOf(owner ?? "")}#${partOf(sessionId)}`;

export const runKey = (owner: string | null, sessionId: string, runId: string) => ({
  pk: sessionRunsKey(owner, sessionId),
  sk: `run#${runId}`,
});

export const eventsKey = (runId: string): string => `run#${runId}`;

/** Each attempt has its own key range, so events that a replaced attempt still writes are not read. */
export const eventSortKey = (attempt: number, firstIndex: number): string =>
  `event#${String(attempt).padStart(6, "0")}#${String(firstIndex).padStart(10, "0")}`;
