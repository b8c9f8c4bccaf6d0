import { inputError } from "../../engine/define/declared-schemas.ts";
import type { Runnable } from "../../engine/define/runnable.ts";
import { compileSchema } from "../../engine/tool/compile-schema.ts";
import { ServiceError } from "../../errors.ts";
import { sseFrame } from "../../events/sse.ts";
import { EventStream } from "../../http/handler.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import { type EventSource, errorEvent } from "../../stores/runs/event-base.ts";
import { type FramedRequest, framed } from "../foreground/event-frames.ts";

/**
 * Refuses what the form's schema cannot check, because it depends on the component.
 *
 * @param now  epoch seconds
 * @returns the refusal where the client reads a stream: one RunError and nothing else
 * @throws ServiceError BAD_REQUEST
 * @source docs/interface/runs.md 3.4
 */
export function refuseBadForm(
  runnable: Runnable,
  { body: form, frames }: FramedRequest & { readonly body: CreateRunForm },
  now: number,
): EventStream | undefined {
  if (form.factory_input !== undefined && !isObjectText(form.factory_input)) {
    throw new ServiceError("BAD_REQUEST", "factory_input is not a JSON object");
  }
  const invalid = inputError(runnable, form.message);
  if (invalid === undefined) return undefined;
  if (!form.stream) throw new ServiceError("BAD_REQUEST", invalid);
  const source = sourceOf(runnable, form);
  const refusal = errorEvent(source, now, invalid, "input_check_error");
  return new EventStream(frames ? framed(frames(source), refusal) : single(sseFrame(refusal)));
}

/** No run exists, so the event names none. */
const sourceOf = ({ kind, id, name }: Runnable, { session_id = "" }: CreateRunForm): EventSource => ({
  run_id: "",
  session_id,
  component_type: kind,
  component_id: id,
  name,
});

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}

async function* single(frame: string): AsyncGenerator<string> {
  yield frame;
}

/**
 * Refuses a run whose answer could not be checked, before anything of it is stored.
 *
 * @throws ServiceError BAD_REQUEST when the schema is invalid, or exceeds the limits for schemas of clients
 * @decided  Text that is not even JSON is dropped, as the wire has it; a schema that cannot be used would let the run
 *           be paid for and then fail.
 */
export async function requireUsableSchema(schema: Record<string, unknown> | undefined): Promise<void> {
  if (!schema) return;
  const { $schema: _, ...rest } = schema;
  const compiled = await compileSchema(rest);
  if (!compiled.usable)
    throw new ServiceError("BAD_REQUEST", `output_schema cannot be used. ${compiled.reason}`);
}
