import { callerOf } from "../../../shared/auth/caller.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
import { RefusedParameter } from "../../../shared/http/openai-refusal.ts";
import { type Component, findVisibleRun, type RunsDeps } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { ResponseInput, ResponseRequest } from "../../../shared/schemas/openai/response.ts";
import { fitsKey } from "../../../shared/schemas/values/key-text.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { CALL } from "./chat-end.ts";
import { itemsOfInput } from "./response-input.ts";
import { FUNCTION_CALL, MESSAGE, textOfRun } from "./response-of.ts";
import { placeOf, type RunPlace } from "./run-address.ts";

type By = { readonly principal: Principal };

/**
 * The request with the items themselves where it names items of earlier responses by their ids alone. What a model does
 * not get again, such as reasoning and calls that were executed here, is left out.
 *
 * @throws RefusedParameter for an id that the caller cannot read
 */
export async function withReferences(
  asked: ResponseRequest,
  component: Component,
  { principal }: By,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
): Promise<ResponseRequest> {
  const items = itemsOfInput(asked);
  if (!items.some(isReference)) return asked;
  const read = new Map<string, Promise<StoredRun | undefined>>();
  const runAt = (place: RunPlace) => {
    const known = read.get(place.run_id);
    if (known) return known;
    const found = findVisibleRun(db, callerOf(principal), place, epochSeconds(clock));
    read.set(place.run_id, found);
    return found;
  };
  const input: ResponseInput[] = [];
  for (const item of items) {
    const id = item.id ?? "";
    if (!isReference(item)) input.push(item);
    else if (id.startsWith(MESSAGE) || id.startsWith(FUNCTION_CALL)) {
      const place = placeOf(MESSAGE, id) ?? placeOf(CALL, id.slice(FUNCTION_CALL.length));
      const isOwn = place?.component.kind === component.kind && place.component.id === component.id;
      const run =
        place && isOwn && [place.session_id, place.run_id].every(fitsKey) ? await runAt(place) : undefined;
      const named = run && itemOf(run, id);
      if (!named) throw new RefusedParameter("input", `input: no item has the id ${id}`, "invalid_value");
      input.push(named);
    }
  }
  return { ...asked, input };
}

const isReference = ({ type }: ResponseInput): boolean => type === "item_reference";

function itemOf(run: StoredRun, id: string): ResponseInput | undefined {
  if (id.startsWith(MESSAGE))
    return {
      ...{ type: "message", role: "assistant" },
      content: [{ type: "output_text", text: textOfRun(run) }],
    };
  const call_id = id.slice(FUNCTION_CALL.length);
  const wanted = placeOf(CALL, call_id)?.call_id;
  const call = run.output.tools?.find(({ tool_call_id }) => tool_call_id === wanted);
  return call
    ? {
        type: "function_call",
        call_id,
        name: call.tool_name,
        arguments: JSON.stringify(call.tool_args ?? {}),
      }
    : undefined;
}
