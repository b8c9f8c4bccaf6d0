import type { FindRunnable } from "../../shared/engine/find-runnable.ts";
import type { Runnable } from "../../shared/engine/runnable.ts";
import { notFound } from "../../shared/errors.ts";
import type { Component } from "./of-kind.ts";

/** @throws ServiceError NOT_FOUND where nothing of this kind has the id */
export async function findComponent(
  { findRunnable }: { readonly findRunnable: FindRunnable },
  { kind, id }: Component,
): Promise<Runnable> {
  const runnable = await findRunnable(kind, id);
  if (!runnable) throw notFound(kind, id);
  return runnable;
}
