import type { Runnable } from "../../engine/define/runnable.ts";
import type { FindRunnable, KnowsRunnable, VersionRequest } from "../../engine/stored/find-runnable.ts";
import { notFound } from "../../errors.ts";
import type { Component } from "../for-kind.ts";

/**
 * The component that a request runs.
 *
 * @param version  its version, where it is stored
 * @throws ServiceError NOT_FOUND where nothing of this kind has the id, UNPROCESSABLE where it cannot be built
 */
export async function findComponent(
  { findRunnable }: { readonly findRunnable: FindRunnable },
  { kind, id }: Component,
  version: VersionRequest,
): Promise<Runnable> {
  const runnable = await findRunnable(kind, id, version);
  if (!runnable) throw notFound(kind, id);
  return runnable;
}

/**
 * The same for a request that only reads runs: the component need not be fit to run any more.
 *
 * @throws ServiceError NOT_FOUND where nothing of this kind has the id
 */
export async function requireComponent(
  { knowsRunnable }: { readonly knowsRunnable: KnowsRunnable },
  { kind, id }: Component,
): Promise<void> {
  if (!(await knowsRunnable(kind, id))) throw notFound(kind, id);
}
