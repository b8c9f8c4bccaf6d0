import { ServiceError } from "../../shared/errors.ts";

/** @throws ServiceError NOT_FOUND where an interface is off: its routes are as if they were not there */
export function requireInterface<Settings>(settings: Settings | undefined): Settings {
  if (!settings) throw new ServiceError("NOT_FOUND", "Not Found");
  return settings;
}
