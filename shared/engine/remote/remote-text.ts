import { withoutSecrets } from "../call/guarded-context.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { RunState } from "../run/run-state.ts";
import type { RemoteAnswer } from "./remote-answer.ts";

/**
 * The text of the answer that is under way. A server may send a task's whole text with every answer, or what is new only:
 * what the run has of it already is taken off where it is there.
 *
 *   run's content   … │ answered before the question │ emitted of this answer
 *   task's text         answered before the question   this answer
 */
export function freshText(
  { text }: Pick<RemoteAnswer, "text">,
  { content, remote }: Pick<RunState, "content" | "remote">,
  ports: Pick<EnginePorts, "toolSecrets">,
): string {
  const shown = withoutSecrets(text, ports);
  const { answered = 0, told = 0 } = remote ?? {};
  const end = content.length - told;
  const before = content.slice(end - answered, end);
  if (shown.startsWith(before)) return shown.slice(before.length);
  return before.startsWith(shown) ? "" : shown;
}
