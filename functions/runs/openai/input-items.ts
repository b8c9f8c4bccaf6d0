import * as v from "valibot";
import type { Component } from "../../../shared/runs/index.ts";
import type { InputItem } from "../../../shared/schemas/openai/response.ts";
import { GivenHistory } from "../../../shared/schemas/runs/given-history.ts";
import type { Media } from "../../../shared/schemas/runs/media.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { CALL } from "./chat-end.ts";
import { addressOf } from "./run-address.ts";

type Unnamed = Omit<InputItem, "id" | "status">;

/** What a run was asked, oldest first: what its client said was said before, its message, and results of the client's functions. */
export function inputItemsOf(run: StoredRun): InputItem[] {
  const { run_id, kwargs, output } = run;
  const { messages = [] } = v.parse(GivenHistory, kwargs.given_history ?? {});
  const { input_content, images = [], files = [], audios = [], videos = [] } = output.input;
  const asked: Unnamed = {
    ...{ type: "message", role: "user" },
    content: [
      ...(input_content === "" ? [] : [{ type: "input_text", text: input_content }]),
      ...images.map((medium) => ({ type: "input_image", detail: "auto", ...sourceOf(medium, "image_url") })),
      ...[...files, ...audios, ...videos].map((medium) => ({
        ...{ type: "input_file", ...sourceOf(medium, "file_url") },
        ...(medium.filename !== undefined && { filename: medium.filename }),
      })),
    ],
  };
  return [...messages.flatMap(givenItems), asked, ...resultsOf(run)].map((item, at) => ({
    id: `in_${run_id}_${at + 1}`,
    status: "completed",
    ...item,
  }));
}

const sourceOf = ({ id, url }: Media, member: "image_url" | "file_url") =>
  url === undefined ? { file_id: id } : { [member]: url };

function givenItems(message: NonNullable<GivenHistory["messages"]>[number]): Unnamed[] {
  const { role, content, tool_calls = [], tool_call_id = "" } = message;
  if (role === "tool") return [{ type: "function_call_output", call_id: tool_call_id, output: content }];
  const type = role === "user" ? "input_text" : "output_text";
  const said: Unnamed[] =
    content === "" ? [] : [{ type: "message", role, content: [{ type, text: content }] }];
  const calls = tool_calls.map(({ id, function: { name, arguments: args } }) => ({
    ...{ type: "function_call" as const, call_id: id },
    ...{ name, arguments: args },
  }));
  return [...said, ...calls];
}

function resultsOf({ run_id, session_id, component_type, component_id, output }: StoredRun): Unnamed[] {
  const component: Component = { kind: component_type, id: component_id };
  return (output.tools ?? []).flatMap((call): Unnamed[] => {
    if (!call.external_execution_required || call.result === null) return [];
    const call_id = addressOf(CALL, { component, session_id, run_id, call_id: call.tool_call_id });
    return [{ type: "function_call_output", call_id, output: call.result ?? "" }];
  });
}
