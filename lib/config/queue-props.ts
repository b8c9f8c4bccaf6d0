import type { QueueSettingName } from "../../shared/runtime/settings.ts";

/** The queue's settings by the names of their context values, such as `max_attempts`. */
export type QueueSettings = {
  readonly [Name in QueueSettingName as Lowercase<Name>]?: string | number | boolean;
};
