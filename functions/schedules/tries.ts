import { ServiceError } from "../../shared/errors.ts";

/** How often a change is tried that others come before. */
export const TRIES = 5;

export const changedByOthers = (): ServiceError =>
  new ServiceError("CONFLICT", "the schedule is being changed by others; read it and try again");
