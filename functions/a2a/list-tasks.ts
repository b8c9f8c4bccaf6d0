import { type ListTasksRequest, type ListTasksResponse, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { requireContext, requireHistoryLength } from "../../shared/a2a/require-message.ts";
import { type TaskView, taskOf, withHistory } from "../../shared/a2a/task-of.ts";
import { statusesOf, taskStateOf } from "../../shared/a2a/task-states.ts";
import { callerOf } from "../../shared/auth/caller.ts";
import {
  countTasks,
  listTasks as rowsOf,
  type TasksQuery,
} from "../../shared/stores/runs/listing/list-tasks.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { rereadTask } from "./find-task.ts";

const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 100;
/** Rows whose runs are read side by side. */
const AT_A_TIME = 10;

/**
 * One page of the caller's tasks of a component, the latest change first; an admin gets everybody's.
 *
 * @throws RequestMalformedError for a page, a state or a time that is none
 * @source docs/interface/a2a.md 5.2
 */
export async function listTasks(
  request: A2aRequest,
  deps: A2aDeps,
  params: ListTasksRequest,
): Promise<ListTasksResponse> {
  const pageSize = requirePageSize(params.pageSize);
  const historyLength = requireHistoryLength(params.historyLength);
  const filter = filterOf(request, params);
  const after = params.pageToken === "" ? undefined : readToken(params.pageToken);
  const found: { seen: TaskView; place: string }[] = [];
  for await (const one of seenTasks(deps, filter, after, params.includeArtifacts)) {
    if (hasState(one.seen, params.status)) found.push(one);
    if (found.length > pageSize) break;
  }
  const page = found.slice(0, pageSize);
  const last = page[page.length - 1];
  return {
    tasks: page.map(({ seen }) => shown(seen, params.includeArtifacts === true, historyLength)),
    nextPageToken: found.length > pageSize && last ? writeToken(last.place) : "",
    pageSize,
    totalSize: isLive(params.status)
      ? await countLive(deps, filter, params.status)
      : await countTasks(deps.db, filter),
  };
}

function shown(seen: TaskView, withArtifacts: boolean, historyLength: number | undefined) {
  const task = withHistory(taskOf(seen), historyLength);
  return withArtifacts ? task : { ...task, artifacts: [] };
}

function filterOf({ component, principal }: A2aRequest, params: ListTasksRequest): TasksQuery {
  const caller = callerOf(principal);
  const statuses = params.status === TaskState.TASK_STATE_UNSPECIFIED ? undefined : statusesOf(params.status);
  if (params.status === TaskState.UNRECOGNIZED) throw new RequestMalformedError("status is no task state");
  return {
    component_type: component.kind,
    component_id: component.id,
    owner: caller.seesAll ? undefined : caller.user_id,
    session_id: requireContext(params.contextId) || undefined,
    // Rows do not distinguish waiting runs from executed ones; a state that no run is in matches none.
    statuses: isLive(params.status) ? ["PENDING"] : statuses?.length === 0 ? ["REGENERATED"] : statuses,
    since: readTime(params.statusTimestampAfter),
  };
}

const isLive = (state: TaskState): boolean => state === taskStateOf.PENDING || state === taskStateOf.RUNNING;

const hasState = ({ run }: TaskView, state: TaskState): boolean =>
  state === TaskState.TASK_STATE_UNSPECIFIED || taskStateOf[run.status] === state;

async function* seenTasks(
  { db, clock }: A2aDeps,
  filter: TasksQuery,
  after: string | undefined,
  withFiles = false,
) {
  let wave: Promise<{ seen: TaskView | undefined; place: string }>[] = [];
  for await (const row of rowsOf(db, filter, after)) {
    wave.push(rereadTask({ db, clock }, row, withFiles).then((seen) => ({ seen, place: row.task_changed })));
    if (wave.length < AT_A_TIME) continue;
    yield* present(await Promise.all(wave));
    wave = [];
  }
  yield* present(await Promise.all(wave));
}

/** Tasks that are removed but still in the index are left out. */
const present = (wave: readonly { seen: TaskView | undefined; place: string }[]) =>
  wave.flatMap(({ seen, place }) => (seen ? [{ seen, place }] : []));

/** Few tasks wait or are executed, so each is read. */
async function countLive(deps: A2aDeps, filter: TasksQuery, state: TaskState): Promise<number> {
  let count = 0;
  for await (const { seen } of seenTasks(deps, filter, undefined)) if (hasState(seen, state)) count += 1;
  return count;
}

function requirePageSize(size: number = DEFAULT_PAGE): number {
  if (Number.isInteger(size) && size >= 1 && size <= LARGEST_PAGE) return size;
  throw new RequestMalformedError(`pageSize must be a whole number from 1 to ${LARGEST_PAGE}`);
}

/** Epoch seconds. */
function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new RequestMalformedError("statusTimestampAfter is no time");
  return Math.ceil(ms / 1000);
}

const writeToken = (place: string): string => Buffer.from(place).toString("base64url");

function readToken(token: string): string {
  const place = Buffer.from(token, "base64url").toString("utf8");
  if (/^\d{12}#[\w-]+$/.test(place)) return place;
  throw new RequestMalformedError("pageToken is not one of this list");
}
