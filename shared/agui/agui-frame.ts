import type { Event } from "@ag-ui/core";

/** An event as its frame; the protocol names no types of server-sent events. Members that are undefined are left out. */
export const aguiFrame = (event: Event): string => `data: ${JSON.stringify(event)}\n\n`;

export const aguiFrames = (events: readonly Event[]): string => events.map(aguiFrame).join("");
