import type { SchedulesDeps } from "./schedules-deps.ts";

/** Components of the code are never archived and always published, and there are no others. */
export const componentState: SchedulesDeps["componentState"] = async () => "usable";
